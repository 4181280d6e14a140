package io.strowger.spi.model;

/** The role of a text inside a request, as passed to a {@link TextEditor}. */
public enum TextKind {
  /** Text of the instructions, or of a system or developer message. */
  INSTRUCTIONS,
  /** Text of a user message. */
  USER,
  /** Text of an assistant message: what a model said before, refusals included. */
  ASSISTANT,
  /** What a model thought or a summary of it, readable. */
  THINKING,
  /** A text, number or name among the arguments a tool was called with. */
  TOOL_ARGUMENTS,
  /** What a tool gave, in whatever message it stands. */
  TOOL_RESULT,
  /**
   * Other words of the conversation: addresses of media, titles of documents, citations, members
   * and parts the engine does not model, and the members {@code prediction}, {@code prompt} and
   * {@code suffix}.
   */
  OTHER,
  /** Descriptions and schemas of declared tools, and all other words of a declaration. */
  TOOL_DECLARATION,
  /** Words of every other member, such as a schema of the answer, metadata or stop texts. */
  SETTING
}
