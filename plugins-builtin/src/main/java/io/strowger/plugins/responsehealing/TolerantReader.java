package io.strowger.plugins.responsehealing;

import java.util.BitSet;

/**
 * Reads one object or array that is nearly JSON and writes it as JSON. Reads the text once, without
 * recursion, and gives up if it would lose content.
 */
final class TolerantReader {
  private static final int MAX_DEPTH = 512;

  private final TextCursor in;
  private final int lastSign;
  private final StringBuilder out = new StringBuilder();
  private final QuotedText quoted;
  private final BareWord bare;
  private final BitSet objects = new BitSet(); // by depth: whether the open container is an object
  // by depth: whether the open container has members or items
  private final BitSet filled = new BitSet();
  private int depth;
  private int openObjects;
  private boolean anything;

  /** How reading ended. */
  enum Outcome {
    /** At the bracket that closes the value. */
    CLOSED,
    /** Before the closing bracket; the missing brackets are added. */
    CUT,
    /** At something unreadable, after readable content. */
    BROKEN,
    /** At once: the brackets are part of a sentence, not JSON. */
    NOTHING
  }

  /**
   * @param in the cursor, before the opening bracket
   * @param lastSign the index of the text's last bracket or quote; only prose follows it
   */
  TolerantReader(TextCursor in, int lastSign) {
    this.in = in;
    this.lastSign = lastSign;
    quoted = new QuotedText(in, out);
    bare = new BareWord(in, out);
  }

  String written() {
    return out.toString();
  }

  Outcome read() {
    open(in.take());
    while (depth > 0) {
      in.skip();
      int c = in.peek();
      if (in.isOver()) {
        return cut();
      }
      if (c == ',') {
        in.take(); // written before the next member
      } else if (c == '}' || c == ']') {
        close(in.take() == '}');
      } else {
        int from = in.at();
        int length = out.length();
        if (!member(c)) {
          return gaveUp(from, length);
        }
      }
    }
    return Outcome.CLOSED;
  }

  /** Ends the value if only prose is left; otherwise gives up. */
  private Outcome gaveUp(int from, int length) {
    if (anything && from > lastSign) {
      out.setLength(length);
      in.back(from);
      return cut();
    }
    return anything || depth > MAX_DEPTH ? Outcome.BROKEN : Outcome.NOTHING;
  }

  private Outcome cut() {
    while (depth > 0) {
      shut();
    }
    return anything ? Outcome.CUT : Outcome.NOTHING;
  }

  private boolean member(int c) {
    int before = out.length();
    if (filled.get(depth)) {
      out.append(',');
    }
    boolean object = objects.get(depth);
    if (object) {
      if (!name(c)) {
        return false;
      }
      in.skip();
      if (in.peek() != ':') {
        out.setLength(before);
        return in.isOver(); // a truncated name is dropped
      }
      in.take();
      out.append(':');
      in.skip();
    }
    filled.set(depth);
    return value(object);
  }

  private boolean name(int c) {
    if (QuotationMarks.opens(c)) {
      quoted.read(QuotedText.Role.NAME);
      return true;
    }
    return bare.name();
  }

  private boolean value(boolean object) {
    int c = in.peek();
    if (c == '{' || c == '[') {
      in.take();
      return open(c);
    }
    if (QuotationMarks.opens(c) && !in.isOver()) {
      quoted.read(object ? QuotedText.Role.MEMBER : QuotedText.Role.ITEM);
    } else if (object && (in.isOver() || c == ',' || c == '}' || c == ']')) {
      out.append("null");
    } else if (!(object ? bare.member() : bare.item())) {
      return false;
    }
    anything = true;
    return true;
  }

  private boolean open(int c) {
    depth++;
    boolean object = c == '{';
    objects.set(depth, object);
    filled.clear(depth);
    openObjects += object ? 1 : 0;
    out.append((char) c);
    return depth <= MAX_DEPTH;
  }

  /**
   * Closes the innermost container of a kind and all containers inside it; ignores a bracket that
   * would not match or would close too much.
   */
  private void close(boolean object) {
    boolean isOpen = object ? openObjects > 0 : depth > openObjects;
    boolean fits = objects.get(depth) == object;
    if (!isOpen || !fits && closesAll(object)) {
      return;
    }
    anything = true;
    while (objects.get(depth) != object) {
      shut();
    }
    shut();
  }

  /** Returns whether the bracket would close the outermost container although more JSON follows. */
  private boolean closesAll(boolean object) {
    int innermost = object ? objects.previousSetBit(depth) : objects.previousClearBit(depth);
    return innermost == 1 && in.at() <= lastSign;
  }

  private void shut() {
    boolean object = objects.get(depth);
    out.append(object ? '}' : ']');
    openObjects -= object ? 1 : 0;
    objects.clear(depth--);
  }
}
