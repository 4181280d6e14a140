package io.strowger.springai;

import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;

/** What tests write differently for Spring AI 2. */
final class Calls {
  private Calls() {}

  static ChatClientRequestSpec with(
      ChatClientRequestSpec request, StrowgerChatOptions.Builder options) {
    return request.options(options);
  }

  /** Returns options with which the model does not run the tools: it never does. */
  static StrowgerChatOptions leavingTools(StrowgerChatOptions.Builder options) {
    return options.build();
  }

  /** What another provider's integration would bring. */
  private static final class ForeignBuilder
      extends DefaultToolCallingChatOptions.Builder<ForeignBuilder> {}

  private static final class ForeignOptions extends DefaultToolCallingChatOptions {
    ForeignOptions() {
      super(null, null, null, null, null, null, null, null, null, null);
    }

    @Override
    public ForeignBuilder mutate() {
      return new ForeignBuilder();
    }
  }

  static ChatOptions foreignOptions() {
    return new ForeignOptions();
  }
}
