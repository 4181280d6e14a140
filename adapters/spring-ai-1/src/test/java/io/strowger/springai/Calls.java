package io.strowger.springai;

import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;

/** What tests write differently for Spring AI 1. */
final class Calls {
  private Calls() {}

  static ChatClientRequestSpec with(
      ChatClientRequestSpec request, StrowgerChatOptions.Builder options) {
    return request.options(options.build());
  }

  /** Returns options with which the model does not run the tools. */
  static StrowgerChatOptions leavingTools(StrowgerChatOptions.Builder options) {
    return options.internalToolExecutionEnabled(false).build();
  }

  /** What another provider's integration would bring. */
  private static final class ForeignOptions extends DefaultToolCallingChatOptions {}

  static ChatOptions foreignOptions() {
    return new ForeignOptions();
  }
}
