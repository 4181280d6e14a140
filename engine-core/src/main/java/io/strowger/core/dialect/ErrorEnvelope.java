package io.strowger.core.dialect;

/** The form in which a family of paths writes its errors. */
public enum ErrorEnvelope {
  /** The contract's own: {@code {"error":{"code":400,"message":"..."}}}. */
  GATEWAY,
  /** The form of the messages dialect: {@code {"type":"error","error":{...},"request_id":null}}. */
  MESSAGES,
  /** The contract's own, with an additional top-level {@code error_type}. */
  RESPONSES,
  /** Only the code and the message. */
  BATCHES
}
