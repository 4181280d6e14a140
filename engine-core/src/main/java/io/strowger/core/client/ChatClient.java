package io.strowger.core.client;

import io.strowger.core.inference.Reply;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import java.util.Objects;

/**
 * Sends chat requests in this process: no HTTP, and no JSON to write or read. A gateway makes one
 * for a key; what the key may do, what it may spend and which presets it sees is as for a request
 * over HTTP with that key.
 *
 * <pre>{@code
 * ChatClient chat = gateway.chat("sk-...");
 * ChatAnswer answer = chat.ask("acme/large").system("Be brief.").user("Hi").call();
 * System.out.println(answer.text());
 * }</pre>
 *
 * <p>Safe on any thread. A call runs on the caller's own thread, which should be a virtual one, and
 * waits there for the upstream. Contract: "Chat request body".
 */
public final class ChatClient {
  private final Service service;

  /** Serves the requests of one caller. */
  @FunctionalInterface
  @SuppressWarnings("exports") // only a gateway makes one
  public interface Service {
    /**
     * Reads a chat body, decides, attempts, and returns when the first content is there.
     *
     * @param body of {@code POST /chat/completions}
     * @param cancellation ends the request when it trips
     * @throws io.strowger.spi.error.GatewayException when the caller may not call or the body is
     *     not a valid request; it names every problem
     */
    Reply serve(Json.Obj body, Cancellation cancellation);
  }

  /** Use {@code Gateway.chat}; this constructor is for a gateway, or a test that plays one. */
  public ChatClient(Service service) {
    this.service = Objects.requireNonNull(service, "service");
  }

  /**
   * Begins a request.
   *
   * @param model id of a model or a router, such as {@code acme/large}
   * @param fallbacks models to try, in this order, when the first cannot answer
   */
  public ChatRequest ask(String model, String... fallbacks) {
    return new ChatRequest(service).models(model, fallbacks);
  }

  /** Begins a request to the account's default model, or to that of a {@code preset}. */
  public ChatRequest ask() {
    return new ChatRequest(service);
  }
}
