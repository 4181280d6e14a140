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
    Json.Arr chosenTokens = result == null ? null : result.list("chosenCandidates");
    if (result == null || chosenTokens == null || chosenTokens.isEmpty()) {
      return null;
    }
    Json.Arr topSteps = result.list("topCandidates");
    List<Json> items = new ArrayList<>(chosenTokens.size());
    for (int i = 0; i < chosenTokens.size(); i++) {
      if (chosenTokens.get(i) instanceof Json.Obj object) {
        Json step = topSteps != null && i < topSteps.size() ? topSteps.get(i) : Json.NULL;
        items.add(token(object).with("top_logprobs", topLogprobs(step)));
      }
    }
    return new Part.Logprobs(Json.array(items));
  }

  private static Json topLogprobs(Json step) {
    Json.Arr candidates = step instanceof Json.Obj object ? object.list("candidates") : null;
    List<Json> tokens = new ArrayList<>();
    for (Json candidate : candidates == null ? List.<Json>of() : candidates) {
      if (candidate instanceof Json.Obj object) {
        tokens.add(token(object));
      }
    }
    return Json.array(tokens);
  }

  private static Json.Obj token(Json.Obj candidate) {
    String token = candidate.text("token");
    String text = token == null ? "" : token;
    List<Json> bytes = new ArrayList<>();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      bytes.add(Json.of(b & 0xFF));
    }
    Json logprob = candidate.get("logProbability");
    return Json.object()
        .put("token", text)
        .put("logprob", logprob instanceof Json.Num ? logprob : Json.of(0)) // absent if certain
        .put("bytes", Json.array(bytes))
        .build();
  }
}
