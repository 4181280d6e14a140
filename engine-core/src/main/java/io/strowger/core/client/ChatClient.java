package io.strowger.core.client;

import io.strowger.core.inference.Reply;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Sends chat requests in this process, without HTTP and without JSON to write or read. A gateway
 * makes a client for a key; the key has the same rights, limits and presets as over HTTP.
 *
 * <pre>{@code
 * ChatClient chat = gateway.chat("sk-...");
 * ChatAnswer answer = chat.ask("acme/large").system("Be brief.").user("Hi").call();
 * System.out.println(answer.text());
 * }</pre>
 *
 * <p>Safe on any thread. A call runs on the calling thread, which should be a virtual one, and
 * blocks it until the upstream answers. Contract: "Chat request body".
 */
public final class ChatClient {
  private final Service service;
  private final Executor executor;

  /** Serves the requests of one caller. */
  @FunctionalInterface
  @SuppressWarnings("exports") // only a gateway makes one
  public interface Service {
    /**
     * Reads a chat body, routes it, and returns at the first content or with a refusal.
     *
     * @param body the body of {@code POST /chat/completions}
     * @param cancellation ends the request when it is tripped
     * @throws io.strowger.spi.error.GatewayException when the caller is refused, or the body is not
     *     a valid request; it names every problem
     */
    Reply serve(Json.Obj body, Cancellation cancellation);
  }

  /**
   * Creates a client for a gateway or a test; everyone else uses {@code Gateway.chat}.
   *
   * @param executor starts every task immediately, on a thread of its own that may block
   */
  public ChatClient(Service service, Executor executor) {
    this.service = Objects.requireNonNull(service, "service");
    this.executor = Objects.requireNonNull(executor, "executor");
  }

  /**
   * Returns the executor that starts each task immediately, without a queue, on a virtual thread of
   * its own. It is for libraries whose calls must return before the answer is complete: they read
   * the stream on that thread.
   */
  public Executor executor() {
    return executor;
  }

  /**
   * Returns a new request to a model.
   *
   * @param model the id of a model or router, such as {@code acme/large}
   * @param fallbacks models to try, in this order, when the first cannot answer
   */
  public ChatRequest ask(String model, String... fallbacks) {
    return new ChatRequest(service).models(model, fallbacks);
  }

  /** Returns a new request to the account's default model, or to that of a {@code preset}. */
  public ChatRequest ask() {
    return new ChatRequest(service);
  }
}
