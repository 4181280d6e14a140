package io.strowger.spi.model;

import io.strowger.spi.json.Json;

/** Which tools a model may or must call. Immutable. Translation fact sheet, section 1. */
public sealed interface ToolChoice {
  /** A choice that names no tool. */
  enum Plain implements ToolChoice {
    /** The model decides. */
    AUTO,
    /** No tool. */
    NONE,
    /** Some tool. */
    REQUIRED
  }

  /** The model must call this function. */
  record Named(String name) implements ToolChoice {}

  /** A choice this engine has no form for; of its dialect only. */
  record Other(Json source) implements ToolChoice {}
}
