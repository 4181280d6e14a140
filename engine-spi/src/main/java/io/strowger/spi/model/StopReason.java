package io.strowger.spi.model;

/**
 * The reason why an answer ended, independent of the dialect. The upstream's own term is kept
 * separately.
 */
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
