package io.strowger.spi.model;

import io.strowger.spi.json.Json;

/** Which tools a model may or must call. Immutable. Translation fact sheet, section 1. */
public sealed interface ToolChoice {
  /** A choice that names no tool. */
  enum Mode implements ToolChoice {
    /** The model decides whether to call a tool. */
    AUTO,
    /** The model must not call a tool. */
    NONE,
    /** The model must call some tool. */
    REQUIRED
  }

  /** The model must call this function. */
  record Named(String name) implements ToolChoice {}

  /** Any other choice; used only within its dialect. */
  record Other(Json source) implements ToolChoice {}
}
