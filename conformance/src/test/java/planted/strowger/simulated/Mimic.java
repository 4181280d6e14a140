package planted.strowger.simulated;

import planted.strowger.providers.ClaudeSpeaker;

/** A simulated upstream that writes what the adapter reads that it is to test. */
record Mimic(ClaudeSpeaker speaker) {}
