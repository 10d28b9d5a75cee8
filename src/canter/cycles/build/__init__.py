"""From clips to cycles: strides cut, closed and levelled, stands found, stride laws fitted."""
