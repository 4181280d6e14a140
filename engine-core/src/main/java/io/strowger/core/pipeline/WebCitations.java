package io.strowger.core.pipeline;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The web searches of plugins and tools for one request: their number, and the pages that each
 * answer of the request cites. Safe on any thread.
 */
final class WebCitations {
  /** The maximum number of pages of one answer: more than thirty searches of a loop find. */
  private static final int MOST = 1_000;

  private final AtomicInteger searches = new AtomicInteger();
  private volatile boolean any;

  void countSearch() {
    searches.incrementAndGet();
  }

  /** Returns whether there are pages that the caller may see. */
  boolean any() {
    return any;
  }

  /** Returns a usage with these searches added. */
  Usage on(Usage usage) {
    int count = searches.get();
    return count == 0 ? usage : usage.toBuilder().searches(usage.searches() + count).build();
  }

  /**
   * Returns a new list of the pages of one answer.
   *
   * @param outer the pages of the surrounding answer; they move to this answer, so that the guard
   *     in between checks them. Null when there is none
   */
  Pages pages(@Nullable Pages outer) {
    return new Pages(outer == null ? List.of() : outer.handOn(), true);
  }

  /** Returns a new list of the pages of an inner call's answer, which the caller does not see. */
  Pages innerPages(@Nullable Pages outer) {
    return new Pages(outer == null ? List.of() : outer.handOn(), false);
  }

  /**
   * The pages that one answer cites. They are delivered once, after the first text that follows
   * their discovery. The contents of files are also delivered at the end of an answer without such
   * text, and in the error when all providers failed. Safe on any thread.
   */
  final class Pages {
    private final boolean shown; // to the caller
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Json> addresses = new HashSet<>();
    private final List<Json.Obj> all = new ArrayList<>();
    private final Queue<Json.Obj> waiting = new ArrayDeque<>();

    private Pages(List<Json.Obj> found, boolean shown) {
      this.shown = shown;
      found.forEach(this::add);
    }

    /** Returns all pages that were found; this answer no longer delivers them. */
    private List<Json.Obj> handOn() {
      lock.lock();
      try {
        waiting.clear();
        return List.copyOf(all);
      } finally {
        lock.unlock();
      }
    }

    void add(Json.Obj citation) {
      Json.Obj page = citation.object("url_citation");
      Json address = page == null ? null : page.get("url");
      lock.lock();
      try {
        if (addresses.size() < MOST && addresses.add(address == null ? citation : address)) {
          Json.Obj complete = complete(citation).detached();
          all.add(complete);
          waiting.add(complete);
          any = any || shown;
        }
      } finally {
        lock.unlock();
      }
    }

    private List<Json.Obj> take() {
      lock.lock();
      try {
        if (waiting.isEmpty()) {
          return List.of();
        }
        var taken = new ArrayList<>(waiting);
        waiting.clear();
        return taken;
      } finally {
        lock.unlock();
      }
    }

    /**
     * Removes and returns the contents of files, for an answer without text: the caller has to send
     * them back even if the answer has only tool calls. Web pages are not cited without text.
     */
    private List<Json.Obj> takeFiles() {
      lock.lock();
      try {
        var files = new ArrayList<Json.Obj>();
        for (Json.Obj one : waiting) {
          if ("file".equals(one.text("type"))) {
            files.add(one);
          }
        }
        waiting.removeAll(files);
        return files;
      } finally {
        lock.unlock();
      }
    }

    /** Returns the answer with its citations. */
    EventStream addedTo(EventStream answer) {
      return new Cited(answer, this);
    }
  }

  /**
   * Adds the members that clients require; a citation without a place gets the beginning of the
   * text.
   */
  private static Json.Obj complete(Json.Obj citation) {
    Json.Obj page = citation.object("url_citation");
    if (page == null) {
      return citation;
    }
    Json.Obj whole =
        Json.object()
            .put("title", "")
            .put("start_index", 0)
            .put("end_index", 0)
            .putAll(page)
            .build();
    return whole.size() == page.size() ? citation : citation.with("url_citation", whole);
  }

  /** An answer with its citations. Read by one thread, closed by any. */
  private static final class Cited implements EventStream {
    private final EventStream answer;
    private final Pages pages;
    private final Deque<Event> ready = new ArrayDeque<>();

    Cited(EventStream answer, Pages pages) {
      this.answer = answer;
      this.pages = pages;
    }

    @Override
    public @Nullable Event next() {
      Event citation = ready.poll();
      if (citation != null) {
        return citation;
      }
      Event event = answer.next();
      if (event instanceof Event.TextDelta said && !said.text().isEmpty()) {
        for (Json.Obj page : pages.take()) {
          ready.add(new Event.Annotation(page, null));
        }
      }
      if (event instanceof Event.Finished) {
        for (Json.Obj file : pages.takeFiles()) {
          ready.add(new Event.Annotation(file, null));
        }
        ready.add(event);
        return ready.poll();
      }
      if (event instanceof Event.Failed failed) {
        return read(failed);
      }
      return event instanceof Event.CompleteAnswer(Answer whole)
          ? new Event.CompleteAnswer(on(whole))
          : event;
    }

    /**
     * Adds the contents of files to the error when all providers failed, so that they need not be
     * read again. Plugins fact sheet, section 7.
     */
    private Event.Failed read(Event.Failed failed) {
      boolean upstream =
          failed.cause() != null || failed.code().blame() == ErrorCode.Blame.UPSTREAM;
      List<Json.Obj> files = upstream ? pages.takeFiles() : List.of();
      return files.isEmpty()
          ? failed
          : new Event.Failed(
              failed.error().withMetadata("file_annotations", Json.array(files)), failed.cause());
    }

    /** Adds the citations after the first text, or files at the end when there is none. */
    private Answer on(Answer whole) {
      int first = firstText(whole.parts());
      List<Json.Obj> cited = first < 0 ? pages.takeFiles() : pages.take();
      int text = first < 0 ? whole.parts().size() - 1 : first;
      if (cited.isEmpty()) {
        return whole;
      }
      var parts = new ArrayList<>(whole.parts());
      parts.addAll(text + 1, cited.stream().map(page -> new Part.Citation(page, null)).toList());
      return new Answer(
          parts, whole.stopReason(), whole.nativeReason(), whole.usage(), whole.dialect(), null);
    }

    private static int firstText(List<Part> parts) {
      for (int i = 0; i < parts.size(); i++) {
        if (parts.get(i) instanceof Part.Text said && !said.text().isEmpty()) {
          return i;
        }
      }
      return -1;
    }

    @Override
    public boolean ready() {
      return !ready.isEmpty() || answer.ready();
    }

    @Override
    public void close() {
      answer.close();
    }
  }
}
