package io.strowger.springai;

import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.DefaultToolCallingChatOptions;

/** The calls that tests must write differently for Spring AI 2. */
final class Calls {
  private Calls() {}

  static ChatClientRequestSpec with(
      ChatClientRequestSpec request, StrowgerChatOptions.Builder options) {
    return request.options(options);
  }

  /** Returns options with which the model does not run the tools, which it never does. */
  static StrowgerChatOptions withoutToolExecution(StrowgerChatOptions.Builder options) {
    return options.build();
  }

  /** The builder of {@link ForeignOptions}. */
  private static final class ForeignBuilder
      extends DefaultToolCallingChatOptions.Builder<ForeignBuilder> {}

  /** Options as the integration of another provider has them. */
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
