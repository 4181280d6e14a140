package io.strowger.providers.gemini;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a complete answer. Content without a part type of its own becomes unknown parts. */
final class GeminiAnswerReader {
  private GeminiAnswerReader() {}

  /**
   * Returns the answer. A blocked prompt gives an answer without parts.
   *
   * @param partReader a reader used for this answer only
   * @return null when the document is not an answer
   */
  static @Nullable Answer of(Json.Obj document, GeminiPartReader partReader) {
    Json.Obj candidate = GeminiFinish.candidate(document);
    GeminiFinish finish = GeminiFinish.of(document);
    if (candidate == null && !finish.isPromptBlocked()) {
      return null;
    }
    List<Part> parts = PartMerger.merge(partReader.read(document));
    int searches = 0;
    if (candidate != null) {
      parts.addAll(indexAfterText(parts), annotations(candidate, partReader.text()));
      searches = GroundingReader.searches(candidate);
    }
    return new Answer(
        parts,
        finish.reason(partReader.hasCalls()),
        finish.upstreamReason(),
        usage(document, searches),
        Dialect.GEMINI,
        document);
  }

  private static @Nullable Usage usage(Json.Obj document, int searches) {
    Json.Obj usage = document.object("usageMetadata");
    return usage == null ? null : GeminiUsage.of(usage, searches);
  }

  /** Returns the citations and log probabilities of the text. */
  private static List<Part> annotations(Json.Obj candidate, String text) {
    var result = new ArrayList<Part>(GroundingReader.citations(candidate, text));
    Part logprobs = GeminiLogprobs.of(candidate);
    if (logprobs != null) {
      result.add(logprobs);
    }
    return result;
  }

  private static int indexAfterText(List<Part> parts) {
    for (int i = parts.size(); i > 0; i--) {
      if (parts.get(i - 1) instanceof Part.Text) {
        return i;
      }
    }
    return parts.size();
  }
}
