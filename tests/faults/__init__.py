"""What goes wrong around us: files, disks, streams, signals, repositories."""
