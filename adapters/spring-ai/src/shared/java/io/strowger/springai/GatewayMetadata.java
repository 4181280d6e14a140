package io.strowger.springai;

import io.strowger.core.client.ChatAnswer;
import java.math.BigDecimal;
import java.util.Optional;
import org.springframework.ai.chat.model.ChatResponse;

/**
 * Reads what the gateway knows of a response. The constants name entries of the response's
 * metadata, as in {@code response.getMetadata().get(GatewayMetadata.COST)}; the methods return the
 * same values. In a stream only the last response has them.
 */
public final class GatewayMetadata {
  /** What the request cost in US dollars, exactly as charged to its key; a {@link BigDecimal}. */
  public static final String COST = "cost";

  /** The id of the endpoint that answered, such as {@code acme/large@alpha}; a {@link String}. */
  public static final String SERVED_BY = "servedBy";

  /** The answer as the gateway gave it; a {@link ChatAnswer}. */
  public static final String ANSWER = "answer";

  private GatewayMetadata() {}

  /** Returns the cost in US dollars; empty for a response that is not a gateway's whole answer. */
  public static Optional<BigDecimal> cost(ChatResponse response) {
    return Optional.ofNullable(response.getMetadata().get(COST));
  }

  /** Returns the id of the endpoint that answered; empty when {@link #cost} is. */
  public static Optional<String> servedBy(ChatResponse response) {
    return Optional.ofNullable(response.getMetadata().get(SERVED_BY));
  }

  /** Returns the answer, with its whole usage and how it was routed; empty when the cost is. */
  public static Optional<ChatAnswer> answer(ChatResponse response) {
    return Optional.ofNullable(response.getMetadata().get(ANSWER));
  }
}
