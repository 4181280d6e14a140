package io.strowger.providers.gemini;

import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;

/**
 * Reads {@code usageMetadata} into counts that do not overlap. The upstream's prompt count includes
 * cached tokens but not what its tools added to the prompt; its candidate count excludes the
 * thoughts. A part larger than its total is reduced to the total, and a negative number counts as
 * 0. Generated images are counted as text output. Translation fact sheet, section 3.
 */
final class GeminiUsage {
  private GeminiUsage() {}

  /**
   * Returns the counts of {@code usageMetadata}.
   *
   * @param searches the number of searches the upstream made for the answer
   */
  static Usage of(Json.Obj usage, int searches) {
    long prompt =
        UsageCounts.of(usage, "promptTokenCount")
            + UsageCounts.of(usage, "toolUsePromptTokenCount");
    long thoughts = UsageCounts.of(usage, "thoughtsTokenCount");
    long output = UsageCounts.of(usage, "candidatesTokenCount");
    if (!usage.has("candidatesTokenCount")) {
      output = Math.max(0, UsageCounts.of(usage, "totalTokenCount") - prompt - thoughts);
    }
    long cached = Math.min(prompt, UsageCounts.of(usage, "cachedContentTokenCount"));
    long inputAudio =
        audio(usage, "promptTokensDetails") + audio(usage, "toolUsePromptTokensDetails");
    long freshAudio =
        Math.clamp(inputAudio - audio(usage, "cacheTokensDetails"), 0, prompt - cached);
    long outputAudio = Math.min(output, audio(usage, "candidatesTokensDetails"));
    return Usage.builder()
        .cacheRead(cached)
        .inputAudio(freshAudio)
        .freshInput(prompt - cached - freshAudio)
        .reasoning(thoughts)
        .outputAudio(outputAudio)
        .outputText(output - outputAudio)
        .searches(searches)
        .build();
  }

  private static long audio(Json.Obj usage, String details) {
    Json.Arr modalities = usage.list(details);
    long tokens = 0;
    for (int i = 0; modalities != null && i < modalities.size(); i++) {
      if (modalities.get(i) instanceof Json.Obj entry && "AUDIO".equals(entry.text("modality"))) {
        tokens += UsageCounts.of(entry, "tokenCount");
      }
    }
    return Math.min(tokens, UsageCounts.MAX_COUNT);
  }
}
