package io.strowger.spi.model;

/** Why an answer ended, in the engine's own words; the upstream's word is kept beside it. */
public enum StopReason {
  END,
  LENGTH,
  TOOL_CALLS,
  STOP_SEQUENCE,
  CONTENT_FILTER,
  REFUSAL,
  PAUSE,
  CONTEXT_WINDOW,
  COMPACTION,
  ERROR
}
