"""The choice and the order of the sounds and sentences that the box's speakers play."""
