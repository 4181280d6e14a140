package io.strowger.spi.model;

/** A wire format. Source bytes can only be written back to the dialect they came in. */
public enum Dialect {
  CHAT,
  MESSAGES,
  RESPONSES,
  GEMINI
}
