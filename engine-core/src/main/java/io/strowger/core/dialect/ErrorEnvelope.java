package io.strowger.core.dialect;

/** How a family of paths wraps its errors. */
public enum ErrorEnvelope {
  /** The contract's own: {@code {"error":{"code":400,"message":"..."}}}. */
  GATEWAY,
  /** That of the messages format: {@code {"type":"error","error":{...},"request_id":null}}. */
  MESSAGES,
  /** The contract's own with a top-level {@code error_type}. */
  RESPONSES,
  /** Code and message, nothing else. */
  BATCHES
}
