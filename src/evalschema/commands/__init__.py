"""The commands, one module each: `command` in a module is the command of its name."""
