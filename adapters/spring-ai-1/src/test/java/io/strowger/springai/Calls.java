package io.strowger.springai;

import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;

/** The calls that tests must write differently for Spring AI 1. */
final class Calls {
  private Calls() {}

  static ChatClientRequestSpec with(
      ChatClientRequestSpec request, StrowgerChatOptions.Builder options) {
    return request.options(options.build());
  }

  /** Returns options with which the model does not run the tools. */
  static StrowgerChatOptions withoutToolExecution(StrowgerChatOptions.Builder options) {
    return options.internalToolExecutionEnabled(false).build();
  }

  /** Options as the integration of another provider has them. */
  private static final class ForeignOptions extends DefaultToolCallingChatOptions {}

  static ChatOptions foreignOptions() {
    return new ForeignOptions();
  }
}
