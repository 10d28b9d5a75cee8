"""From clips to cycles: strides cut, closed and levelled, stands made, and all of it kept in .canter files."""
