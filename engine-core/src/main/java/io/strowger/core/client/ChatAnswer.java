package io.strowger.core.client;

import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.dialect.chat.ChatMessage;
import io.strowger.core.inference.DeliveryState;
import io.strowger.core.meter.Bill;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The whole answer to a chat request. Immutable, safe on any thread. */
public final class ChatAnswer {
  private final String id;
  private final Answer answer;
  private final Usage usage;
  private final Usd cost;
  private final DeliveryState deliveryState;
  private final List<ChatAnswer> earlierTurns;

  ChatAnswer(String id, Answer answer, @Nullable Bill bill, DeliveryState deliveryState) {
    this(
        id,
        answer,
        bill == null ? Objects.requireNonNullElse(answer.usage(), Usage.NONE) : bill.usage(),
        bill == null ? Usd.ZERO : bill.total(),
        deliveryState,
        List.of());
  }

  private ChatAnswer(
      String id,
      Answer answer,
      Usage usage,
      Usd cost,
      DeliveryState deliveryState,
      List<ChatAnswer> earlierTurns) {
    this.id = id;
    this.answer = answer;
    this.usage = usage;
    this.cost = cost;
    this.deliveryState = deliveryState;
    this.earlierTurns = List.copyOf(earlierTurns);
  }

  /** Returns this answer as the last of several turns, with their usage and cost added. */
  ChatAnswer withEarlierTurns(List<ChatAnswer> turns) {
    Usage totalUsage = usage;
    Usd totalCost = cost;
    for (ChatAnswer turn : turns) {
      totalUsage = totalUsage.plus(turn.usage);
      totalCost = totalCost.plus(turn.cost);
    }
    return new ChatAnswer(id, answer, totalUsage, totalCost, deliveryState, turns);
  }

  /** Returns the generation id, {@code gen-...}, which identifies the record of the request. */
  public String id() {
    return id;
  }

  /** Returns the text of the answer, without reasoning; empty when it has none. */
  public String text() {
    return text(answer.parts());
  }

  static String text(List<Part> parts) {
    var text = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Part.Text textPart) {
        text.append(textPart.text().text());
      }
    }
    return text.toString();
  }

  /** Returns the readable part of the model's reasoning; empty when it shows none. */
  public String reasoning() {
    var text = new StringBuilder();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Thinking thinking
          && thinking.kind() != Part.Thinking.Kind.ENCRYPTED) {
        text.append(thinking.text().text());
      }
    }
    return text.toString();
  }

  /**
   * Returns the model's reasoning with its signatures, in the form of the contract's {@code
   * reasoning_details}; empty when there is none. Send it back unchanged to continue the
   * conversation, see {@link ChatRequest#assistant(String, List, Json.Arr)}.
   */
  public Json.Arr reasoningDetails() {
    return toMessage().get("reasoning_details") instanceof Json.Arr details
        ? details
        : Json.array();
  }

  /** Returns the text with which the model refused to answer; null when it did not refuse. */
  public @Nullable String refusal() {
    for (Part part : answer.parts()) {
      if (part instanceof Part.Refusal refusal) {
        return refusal.text().text();
      }
    }
    return null;
  }

  /** Returns the function calls that the model asks for, in order; may be empty. */
  public List<ToolCall> toolCalls() {
    return answer.parts().stream()
        .filter(Part.ToolCall.class::isInstance)
        .map(Part.ToolCall.class::cast)
        .map(call -> new ToolCall(call.id(), call.name(), call.arguments().text()))
        .toList();
  }

  /** Returns all parts of the answer in order, including citations, images and audio. */
  public List<Part> parts() {
    return answer.parts();
  }

  /** Returns the reason why the answer ended. */
  public StopReason stopReason() {
    return answer.stopReason();
  }

  /** Returns the usage of the request over all its attempts and turns. */
  public Usage usage() {
    return usage;
  }

  /**
   * Returns the exact cost of the request over all its turns, as charged to its key; zero for an
   * answer from the cache.
   */
  public Usd cost() {
    return cost;
  }

  /**
   * Returns the earlier answers whose tool calls {@link ChatRequest#callWithTools} ran, in order,
   * each with its own usage, cost and decision; empty after other calls.
   */
  public List<ChatAnswer> earlierTurns() {
    return earlierTurns;
  }

  /** Returns the endpoint that answered: its model, provider and prices. */
  public Endpoint servedBy() {
    return Objects.requireNonNull(deliveryState.endpoint(), "an answer has an endpoint");
  }

  /** Returns how the request was routed: the candidates in order, and the attempts. */
  public RouteDecision decision() {
    return new RouteDecision(deliveryState);
  }

  /** Returns the answer as an item of {@code messages}, to continue the conversation. */
  Json.Obj toMessage() {
    return new ChatMessage(answer.parts()).message();
  }

  /** Returns the generation id and the endpoint, without any content. */
  @Override
  public String toString() {
    Endpoint endpoint = deliveryState.endpoint();
    return "ChatAnswer[" + id + (endpoint == null ? "" : ", " + endpoint.id()) + "]";
  }

  /** How a request was routed. Immutable. */
  public static final class RouteDecision {
    private final DeliveryState deliveryState;

    private RouteDecision(DeliveryState deliveryState) {
      this.deliveryState = deliveryState;
    }

    /** Returns one line with the number of endpoints and the provider that answered. */
    public String summary() {
      return Objects.requireNonNullElse(toJson().text("summary"), "");
    }

    /** Returns how many attempts were made, including the one that answered. */
    public int attempts() {
      return deliveryState.attemptNumber();
    }

    /** Returns the decision in the form of the contract's {@code router_metadata}. */
    public Json.Obj toJson() {
      return RouterMetadata.of(deliveryState);
    }

    @Override
    public String toString() {
      return "RouteDecision[" + summary() + "]";
    }
  }
}
