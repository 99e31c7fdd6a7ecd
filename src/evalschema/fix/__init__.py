"""Repairs: patches on the text of a document, kept only where checking again shows that they helped."""

from evalschema.fix.repairing import Repair, Step, repair, repair_lines
from evalschema.fix.tree import PatchError, Text

__all__ = ["PatchError", "Repair", "Step", "Text", "repair", "repair_lines"]
