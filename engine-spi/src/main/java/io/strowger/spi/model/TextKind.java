package io.strowger.spi.model;

/** The role of a text inside a request, as passed to a {@link TextEditor}. */
public enum TextKind {
  /** Text of the instructions, or of a system or developer message. */
  INSTRUCTIONS,
  /** Text of a user message. */
  USER,
  /** Text of an assistant message: what a model said before, refusals included. */
  ASSISTANT,
  /** Readable reasoning of a model, or a summary of it. */
  THINKING,
  /** A text, a number or a member name in the arguments of a tool call. */
  TOOL_ARGUMENTS,
  /** Text of a tool result, whatever message contains it. */
  TOOL_RESULT,
  /**
   * Other text of the conversation: addresses of media, titles of documents, citations, members and
   * parts without a typed form, and the members {@code prediction}, {@code prompt} and {@code
   * suffix}.
   */
  OTHER,
  /** Descriptions and schemas of declared tools, and all other text of a declaration. */
  TOOL_DECLARATION,
  /** Text of every other member, such as a schema of the answer, metadata or stop texts. */
  SETTING
}
