package io.strowger.providers.gemini;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what a whole answer says in several parts though it is one: neighbouring texts, and
 * neighbouring pieces of one thought up to its signature. A stream of the same answer is read so
 * too. For one thread.
 */
final class PartMerger {
  private final List<Part> merged = new ArrayList<>();
  private final StringBuilder more = new StringBuilder();
  private @Nullable Part open; // the last part, to which more of its kind belongs

  private PartMerger() {}

  static List<Part> merge(List<Part> parts) {
    var merger = new PartMerger();
    parts.forEach(merger::add);
    merger.close(null);
    return merger.merged;
  }

  private void add(Part part) {
    if (part instanceof Part.Text text) {
      if (!(open instanceof Part.Text)) {
        close(part);
      }
      more.append(text.text().text());
    } else if (part instanceof Part.Thinking thinking
        && thinking.kind() == Part.Thinking.Kind.TEXT) {
      thought(thinking);
    } else {
      close(null);
      merged.add(part);
    }
  }

  private void thought(Part.Thinking thinking) {
    if (!(open instanceof Part.Thinking)) {
      close(thinking);
    }
    more.append(thinking.text().text());
    if (thinking.signature() != null) {
      open = thinking; // what it proves ends here
      close(null);
    }
  }

  /**
   * @param next what is open from now on; null when nothing is
   */
  private void close(@Nullable Part next) {
    Part last = open;
    if (last instanceof Part.Text text) {
      merged.add(new Part.Text(said(text.text()), Json.Obj.EMPTY, null));
    } else if (last instanceof Part.Thinking thinking) {
      merged.add(
          new Part.Thinking(
              thinking.kind(),
              said(thinking.text()),
              thinking.signature(),
              thinking.format(),
              thinking.id(),
              Json.Obj.EMPTY,
              null));
    }
    more.setLength(0);
    open = next;
  }

  /** All of it; the very text when there was only one. */
  private Json.Str said(Json.Str only) {
    String all = more.toString();
    return only.text().equals(all) ? only : Json.of(all);
  }
}
