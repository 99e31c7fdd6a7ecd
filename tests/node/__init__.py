"""What runs in Node: the engines of other tools, asked about our schemas."""
