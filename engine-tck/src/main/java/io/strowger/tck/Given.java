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

/** The words a test describes its situation with. Import them statically. */
public final class Given {
  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);

  private Given() {}

  /** A provider that neither keeps prompts nor trains on them. */
  public static ProviderInfo provider(String slug) {
    return new ProviderInfo(slug, slug, false, false, null, false);
  }

  /**
   * Prices as price lists print them: dollars per million tokens.
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
   * A chat endpoint whose tag is the provider's slug.
   *
   * @param perMillion dollars per million tokens, prompt and completion alike
   */
  public static Endpoint endpoint(String provider, String model, String perMillion) {
    return Endpoint.builder(model, provider(provider))
        .pricing(perMillion(perMillion, perMillion))
        .contextLength(128_000)
        .build();
  }

  /** A catalog of these endpoints; models in the order they are first named. */
  public static Catalog catalog(Endpoint... endpoints) {
    var byModel = new LinkedHashMap<String, List<Endpoint>>();
    for (Endpoint endpoint : endpoints) {
      byModel.computeIfAbsent(endpoint.model(), m -> new ArrayList<>()).add(endpoint);
    }
    var catalog = Catalog.builder("test");
    byModel.forEach((model, its) -> catalog.add(ModelInfo.builder(model).build(), its));
    return catalog.build();
  }

  /** A chat request of one user message that wants its answer at once. */
  public static InferenceRequest request(String model, String text) {
    return request(model, text, false);
  }

  /** A chat request of one user message that wants its answer piece by piece. */
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

  /** A call without limits that nobody has cancelled yet. */
  public static Call call(Endpoint endpoint, InferenceRequest request) {
    return call(endpoint, Credential.NONE, request, new Cancellation());
  }

  public static Call call(
      Endpoint endpoint, Credential credential, InferenceRequest request, Cancellation until) {
    return new Call(endpoint, credential, request, 0, null, Duration.ofMinutes(1), until);
  }

  /** The text of a request's last message; empty when it has none. */
  public static String lastText(InferenceRequest request) {
    var text = new StringBuilder();
    if (!request.messages().isEmpty()) {
      for (Part part : request.messages().getLast().parts()) {
        if (part instanceof Part.Text said) {
          text.append(said.text().text());
        }
      }
    }
    return text.toString();
  }

  public static Usage usage(long promptTokens, long completionTokens) {
    return Usage.builder().freshInput(promptTokens).outputText(completionTokens).build();
  }

  /** A complete answer of ten prompt tokens and one output token per character. */
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
