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

  /** Returns this answer as the last of several turns, whose usage and cost are in its own. */
  ChatAnswer after(List<ChatAnswer> earlier) {
    Usage allUsage = usage;
    Usd allCost = cost;
    for (ChatAnswer turn : earlier) {
      allUsage = allUsage.plus(turn.usage);
      allCost = allCost.plus(turn.cost);
    }
    return new ChatAnswer(id, answer, allUsage, allCost, deliveryState, earlier);
  }

  /** Returns the generation id, {@code gen-...}, by which the record of the request is found. */
  public String id() {
    return id;
  }

  /** Returns what the model said in words, without its reasoning; empty when it said nothing. */
  public String text() {
    var text = new StringBuilder();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Text said) {
        text.append(said.text().text());
      }
    }
    return text.toString();
  }

  /** Returns what the model shows of its reasoning; empty when it shows none. */
  public String reasoning() {
    var text = new StringBuilder();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Thinking thought && thought.kind() != Part.Thinking.Kind.ENCRYPTED) {
        text.append(thought.text().text());
      }
    }
    return text.toString();
  }

  /** Returns why the model refused to answer; null when it did not refuse. */
  public @Nullable String refusal() {
    for (Part part : answer.parts()) {
      if (part instanceof Part.Refusal refusal) {
        return refusal.text().text();
      }
    }
    return null;
  }

  /** Returns the functions the model wants called, in its order. */
  public List<ToolCall> toolCalls() {
    return answer.parts().stream()
        .filter(Part.ToolCall.class::isInstance)
        .map(Part.ToolCall.class::cast)
        .map(call -> new ToolCall(call.id(), call.name(), call.arguments().text()))
        .toList();
  }

  /** Returns everything the model said, in order: citations, pictures and sound too. */
  public List<Part> parts() {
    return answer.parts();
  }

  /** Returns why the answer ended. */
  public StopReason stopReason() {
    return answer.stopReason();
  }

  /** Returns what the request used, all its attempts and turns together. */
  public Usage usage() {
    return usage;
  }

  /**
   * Returns what the request cost its key, exactly, all its turns together; zero for an answer from
   * the cache.
   */
  public Usd cost() {
    return cost;
  }

  /**
   * Returns the answers before this one whose tools {@link ChatRequest#callWithTools} ran, in
   * order, each with its own usage, cost and decision; empty after a plain call.
   */
  public List<ChatAnswer> earlierTurns() {
    return earlierTurns;
  }

  /** Returns the endpoint that answered: its model, provider and prices. */
  public Endpoint servedBy() {
    return Objects.requireNonNull(deliveryState.endpoint(), "an answer comes from somewhere");
  }

  /** Returns how the request was routed: what could be tried, in which order, and what was. */
  public RouteDecision decision() {
    return new RouteDecision(deliveryState);
  }

  /** Returns the answer as an item of {@code messages}, so that the conversation can go on. */
  Json.Obj toMessage() {
    return new ChatMessage(answer.parts()).message();
  }

  /** Returns the generation id and the model, and nothing that was said. */
  @Override
  public String toString() {
    Endpoint by = deliveryState.endpoint();
    return "ChatAnswer[" + id + (by == null ? "" : ", " + by.id()) + "]";
  }

  /** How a request was routed. Immutable. */
  public static final class RouteDecision {
    private final DeliveryState deliveryState;

    private RouteDecision(DeliveryState deliveryState) {
      this.deliveryState = deliveryState;
    }

    /** Returns in one line how many endpoints there were, and which provider answered. */
    public String summary() {
      return Objects.requireNonNullElse(toJson().text("summary"), "");
    }

    /** Returns how many attempts were made, the one that answered included. */
    public int attempts() {
      return deliveryState.attempt();
    }

    /** Returns the decision as {@code router_metadata} of the contract shows it. */
    public Json.Obj toJson() {
      return RouterMetadata.of(deliveryState);
    }

    @Override
    public String toString() {
      return "RouteDecision[" + summary() + "]";
    }
  }
}
