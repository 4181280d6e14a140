package io.strowger.simulated;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rerank in the common form: {@code POST .../rerank}, always one document. Each score follows from
 * the place of its document; the results come in the order of the documents.
 */
final class RerankProtocol implements UpstreamProtocol {
  private final ChatProtocol chat = new ChatProtocol();

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    RequestScanner requestScanner =
        request.path().endsWith("/rerank") ? RequestScanner.of(request.body()) : null;
    if (requestScanner == null) {
      return null;
    }
    int documents =
        RequestScanner.items(Objects.requireNonNullElse(requestScanner.member("documents"), "[0]"));
    return new Asked(
        Objects.requireNonNullElse(requestScanner.model(), ""),
        false,
        false,
        documents
            + " "
            + Objects.requireNonNullElse(requestScanner.member("top_n"), "" + documents));
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    String[] detail = asked.detail().split(" ");
    int documents = Integer.parseInt(detail[0]);
    int wanted = Math.min(documents, Integer.parseInt(detail[1]));
    var results = new ArrayList<Json>();
    for (int i = documents - wanted; i < documents; i++) {
      results.add(SimulatedRerank.result(i, i + 1)); // the last is the best
    }
    return new DocumentSpoken(
        Json.object()
            .put("id", "rerank-upstream")
            .put("results", Json.array(results))
            .put(
                "meta",
                Json.object()
                    .put("billed_units", Json.object().put("search_units", 1).build())
                    .build())
            .put("usage", Json.object().put("total_tokens", script.promptTokens()).build())
            .build());
  }

  @Override
  public byte[] keepAlive() {
    return chat.keepAlive();
  }

  @Override
  public byte[] broken() {
    return chat.broken();
  }

  @Override
  public byte[] error(String json) {
    return chat.error(json);
  }
}
