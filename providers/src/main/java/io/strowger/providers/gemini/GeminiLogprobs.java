package io.strowger.providers.gemini;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the log probabilities of an answer to the form of the chat dialect. */
final class GeminiLogprobs {
  private GeminiLogprobs() {}

  /** Returns the log probabilities; null when the candidate has none. */
  static Part.@Nullable Logprobs of(Json.Obj candidate) {
    Json.Obj result = candidate.object("logprobsResult");
    Json.Arr chosen = result == null ? null : result.list("chosenCandidates");
    if (result == null || chosen == null || chosen.isEmpty()) {
      return null;
    }
    Json.Arr tops = result.list("topCandidates");
    List<Json> items = new ArrayList<>(chosen.size());
    for (int i = 0; i < chosen.size(); i++) {
      if (chosen.get(i) instanceof Json.Obj one) {
        Json top = tops != null && i < tops.size() ? tops.get(i) : Json.NULL;
        items.add(token(one).with("top_logprobs", top(top)));
      }
    }
    return new Part.Logprobs(Json.array(items));
  }

  private static Json top(Json step) {
    Json.Arr candidates = step instanceof Json.Obj one ? one.list("candidates") : null;
    List<Json> likely = new ArrayList<>();
    for (Json candidate : candidates == null ? List.<Json>of() : candidates) {
      if (candidate instanceof Json.Obj one) {
        likely.add(token(one));
      }
    }
    return Json.array(likely);
  }

  private static Json.Obj token(Json.Obj candidate) {
    String token = candidate.text("token");
    String text = token == null ? "" : token;
    List<Json> bytes = new ArrayList<>();
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      bytes.add(Json.of(one & 0xFF));
    }
    Json likely = candidate.get("logProbability");
    return Json.object()
        .put("token", text)
        .put("logprob", likely instanceof Json.Num ? likely : Json.of(0)) // absent if certain
        .put("bytes", Json.array(bytes))
        .build();
  }
}
