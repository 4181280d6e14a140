package io.strowger.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponseMetadata;
import io.strowger.core.client.ChatAnswer;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a response, including the gateway's answer. The id is the generation's, {@code
 * gen-...}; the model's name is the catalog id of the model that answered. Immutable.
 */
public final class StrowgerChatResponseMetadata extends ChatResponseMetadata {
  private final ChatAnswer answer;

  private StrowgerChatResponseMetadata(Builder builder) {
    super(builder);
    answer = builder.answer;
  }

  static Builder builder(ChatAnswer answer) {
    return new Builder(answer);
  }

  /** Returns what the request cost, exactly as charged to its key. */
  public Usd cost() {
    return answer.cost();
  }

  /** Returns the endpoint that answered: its model, provider and prices. */
  public Endpoint servedBy() {
    return answer.servedBy();
  }

  /** Returns the answer as the gateway gave it, with its whole usage and how it was routed. */
  public ChatAnswer answer() {
    return answer;
  }

  @Override
  public Builder toBuilder() {
    Builder copy = builder(answer);
    super.toBuilder(copy);
    return copy;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof StrowgerChatResponseMetadata that
        && answer.equals(that.answer);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), answer);
  }

  /** Builds a changed copy. For one thread. */
  public static final class Builder extends ChatResponseMetadata.Builder<Builder> {
    private final ChatAnswer answer;

    private Builder(ChatAnswer answer) {
      this.answer = answer;
    }

    @Override
    public StrowgerChatResponseMetadata build() {
      return new StrowgerChatResponseMetadata(this);
    }
  }
}
