"""The security boundary of the stack: the roles, and the SROS 2 keystore that enforces them."""
