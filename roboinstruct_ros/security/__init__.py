"""The boundary of the stack: who may do what, and the SROS 2 keystore that holds all to it."""
