"""Who may do what at the kiosk: devices with roles, control, and the record of what they did."""
