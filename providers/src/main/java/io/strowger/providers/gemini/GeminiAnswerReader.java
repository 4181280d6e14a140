package io.strowger.providers.gemini;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a complete answer. Content that the engine does not model is kept as unknown parts. */
final class GeminiAnswerReader {
  private GeminiAnswerReader() {}

  /**
   * Returns the answer. A blocked prompt gives an answer without parts.
   *
   * @param reading a reader used for this answer only
   * @return null when the document is not an answer
   */
  static @Nullable Answer of(Json.Obj document, GeminiPartReader reading) {
    Json.Obj candidate = GeminiFinish.candidate(document);
    GeminiFinish geminiFinish = GeminiFinish.of(document);
    if (candidate == null && !geminiFinish.blocked()) {
      return null;
    }
    List<Part> parts = PartMerger.merge(reading.read(document));
    int searches = 0;
    if (candidate != null) {
      parts.addAll(behindText(parts), besides(candidate, reading.text()));
      searches = Grounding.searches(candidate);
    }
    return new Answer(
        parts,
        geminiFinish.reason(reading.hasCalls()),
        geminiFinish.word(),
        usage(document, searches),
        Dialect.GEMINI,
        document);
  }

  private static @Nullable Usage usage(Json.Obj document, int searches) {
    Json.Obj usage = document.object("usageMetadata");
    return usage == null ? null : GeminiUsage.of(usage, searches);
  }

  /** Returns the citations and log probabilities of the text. */
  private static List<Part> besides(Json.Obj candidate, String text) {
    var besides = new ArrayList<Part>(Grounding.citations(candidate, text));
    Part likely = GeminiLogprobs.of(candidate);
    if (likely != null) {
      besides.add(likely);
    }
    return besides;
  }

  private static int behindText(List<Part> parts) {
    for (int i = parts.size(); i > 0; i--) {
      if (parts.get(i - 1) instanceof Part.Text) {
        return i;
      }
    }
    return parts.size();
  }
}
