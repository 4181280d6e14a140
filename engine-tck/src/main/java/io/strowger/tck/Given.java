package io.strowger.tck;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.routing.ModelRef;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Factory methods for catalogs, requests, calls and answers of tests. Import them statically. */
public final class Given {
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

  private Given() {}

  /** Creates a provider that neither keeps prompts nor trains on them. */
  public static ProviderInfo provider(String slug) {
    return new ProviderInfo(slug, slug, false, false, null, false);
  }

  /**
   * Creates prices from dollars per million tokens, as price lists print them.
   *
   * @param prompt such as {@code 0.25}
   */
  public static Pricing perMillion(String prompt, String completion) {
    return Pricing.builder()
        .set(Price.PROMPT, perToken(prompt))
        .set(Price.COMPLETION, perToken(completion))
        .build();
  }

  private static UnitPrice perToken(String dollarsPerMillion) {
    return UnitPrice.ofDollars(new BigDecimal(dollarsPerMillion).divide(MILLION));
  }

  /**
   * Creates a chat endpoint with a context of 128,000 tokens, whose tag is the provider's slug.
   *
   * @param perMillion dollars per million tokens, prompt and completion alike
   */
  public static Endpoint endpoint(String provider, String model, String perMillion) {
    return Endpoint.builder(model, provider(provider))
        .pricing(perMillion(perMillion, perMillion))
        .contextLength(128_000)
        .build();
  }

  /**
   * Creates a catalog of these endpoints, with the models in the order in which the endpoints first
   * name them.
   */
  public static Catalog catalog(Endpoint... endpoints) {
    var byModel = new LinkedHashMap<String, List<Endpoint>>();
    for (Endpoint endpoint : endpoints) {
      byModel.computeIfAbsent(endpoint.model(), m -> new ArrayList<>()).add(endpoint);
    }
    var catalog = Catalog.builder("test");
    byModel.forEach(
        (model, modelEndpoints) -> catalog.add(ModelInfo.builder(model).build(), modelEndpoints));
    return catalog.build();
  }

  /** Creates a chat request with one user message and a complete, not streamed, answer. */
  public static InferenceRequest request(String model, String text) {
    return request(model, text, false);
  }

  /** Creates a chat request with one user message and a streamed answer. */
  public static InferenceRequest streaming(String model, String text) {
    return request(model, text, true);
  }

  private static InferenceRequest request(String model, String text, boolean streaming) {
    var message = Json.object().put("role", "user").put("content", text).build();
    var members =
        Json.object()
            .put("model", model)
            .put("messages", Json.array(message))
            .put("stream", streaming)
            .build();
    return InferenceRequest.builder(Dialect.CHAT, members)
        .models(List.of(ModelRef.parse(model)))
        .messages(List.of(Message.text(Message.Role.USER, text)))
        .streaming(streaming)
        .build();
  }

  /**
   * Creates a call without a credential and without an output limit, and with a cancellation of its
   * own.
   */
  public static Call call(Endpoint endpoint, InferenceRequest request) {
    return call(endpoint, Credential.NONE, request, new Cancellation());
  }

  public static Call call(
      Endpoint endpoint,
      Credential credential,
      InferenceRequest request,
      Cancellation cancellation) {
    return new Call(endpoint, credential, request, 0, null, Duration.ofMinutes(1), cancellation);
  }

  /** Returns the text of a request's last message; empty when it has none. */
  public static String lastText(InferenceRequest request) {
    var text = new StringBuilder();
    if (!request.messages().isEmpty()) {
      for (Part part : request.messages().getLast().parts()) {
        if (part instanceof Part.Text textPart) {
          text.append(textPart.text().text());
        }
      }
    }
    return text.toString();
  }

  public static Usage usage(long promptTokens, long completionTokens) {
    return Usage.builder().freshInput(promptTokens).outputText(completionTokens).build();
  }

  /**
   * Creates a complete answer with a usage of ten prompt tokens and one output token per character.
   */
  public static Answer answer(String text) {
    return new Answer(
        List.of(new Part.Text(text)),
        StopReason.END,
        "stop",
        usage(10, text.length()),
        Dialect.CHAT,
        null);
  }

  public static Failure failure(FailureKind kind) {
    return Failure.of(kind, "scripted " + kind);
  }

  public static Failure failure(FailureKind kind, int status, long retryAfterSeconds) {
    return new Failure(kind, status, retryAfterSeconds, "scripted " + kind);
  }
}
