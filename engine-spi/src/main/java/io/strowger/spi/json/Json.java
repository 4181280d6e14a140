package io.strowger.spi.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value. Immutable and safe on any thread.
 *
 * <p>A value read by a parser knows the bytes it came from and is written back as exactly those
 * bytes, white space and number spelling included. A value made or changed through this API has no
 * source of its own: it is written from its content, while members and items that were not touched
 * keep theirs. So what is written always agrees with what is read from the value, and text that was
 * replaced is nowhere in the output.
 *
 * <p>A parsed value keeps the whole document it came from reachable. Call {@link #detached()} on a
 * value that outlives the request.
 *
 * <p>Equality is by content: text by its characters, numbers by their spelling ({@code 1.0} is not
 * {@code 1}), arrays by order, objects by name regardless of order.
 */
public sealed interface Json {

  @SuppressWarnings("ClassInitializationDeadlock") // no other class creates one before Json does
  Bool TRUE = new Bool(true);

  @SuppressWarnings("ClassInitializationDeadlock") // as TRUE
  Bool FALSE = new Bool(false);

  @SuppressWarnings("ClassInitializationDeadlock") // as TRUE
  Null NULL = new Null();

  /** Appends this value as JSON. */
  void writeTo(JsonOutput out);

  /** Returns this value as UTF-8 JSON, in a new array. */
  default byte[] toBytes() {
    var out = new JsonOutput(256);
    writeTo(out);
    return out.toByteArray();
  }

  /**
   * Returns how many bytes {@link #writeTo} appends. Copies nothing for a value that was read and
   * not changed; a value that was created or changed is written once for counting.
   */
  default int writtenLength() {
    return toBytes().length;
  }

  /** Returns an equal value that keeps nothing else reachable. Keeps spelling, not white space. */
  default Json detached() {
    return this;
  }

  static Str of(String text) {
    return new Str(text);
  }

  static Num of(long number) {
    return new Num(Long.toString(number));
  }

  static Num of(BigDecimal number) {
    return new Num(number.toPlainString());
  }

  /**
   * Returns a decimal number in plain digits.
   *
   * @param unscaled the digits
   * @param decimals how many of them follow the decimal point, 0 to 18
   */
  static Num decimal(long unscaled, int decimals) {
    if (decimals == 0) {
      return of(unscaled);
    }
    byte[] digits = new byte[JsonOutput.decimalLength(unscaled, decimals)];
    JsonOutput.decimal(unscaled, decimals, digits, digits.length);
    return new Num(new String(digits, StandardCharsets.ISO_8859_1));
  }

  static Bool of(boolean value) {
    return value ? TRUE : FALSE;
  }

  static Arr array(List<? extends Json> items) {
    return new Arr(items.toArray(new Json[0]), null, 0, 0);
  }

  static Arr array(Json... items) {
    return new Arr(items.clone(), null, 0, 0);
  }

  /** Returns an array of texts, in the order of the collection. */
  static Arr strings(Collection<String> texts) {
    return array(texts.stream().map(Json::of).toList());
  }

  static Obj.Builder object() {
    return new Obj.Builder(new JsonMembers());
  }

  /**
   * Returns a builder for an object of known size, which allocates no spare room.
   *
   * @param size how many members are expected, at least 0; there may be more or fewer
   */
  static Obj.Builder object(int size) {
    return new Obj.Builder(new JsonMembers(size));
  }

  /**
   * Parses a text that a model or a server wrote and that need not be JSON. Accepts the grammar of
   * RFC 8259 up to a depth of 500, but no object that has a name twice.
   *
   * @return the value, which keeps the text's bytes until it is {@linkplain #detached detached};
   *     null when the text is not JSON
   */
  static @Nullable Json parseOrNull(String text) {
    return parseOrNull(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Parses a document as {@link #parseOrNull(String)} does.
   *
   * @param document the document in UTF-8, which is not checked; kept by the value, so it must not
   *     be changed afterwards
   */
  static @Nullable Json parseOrNull(byte[] document) {
    return JsonReader.read(document);
  }

  /**
   * Returns the kind of this value, in the words an error message uses: object, array, string,
   * number, boolean, null.
   */
  default String kind() {
    return switch (this) {
      case Obj o -> "object";
      case Arr a -> "array";
      case Str s -> "string";
      case Num n -> "number";
      case Bool b -> "boolean";
      case Null n -> "null";
    };
  }

  /** A string. Decoded from its source on first use. */
  final class Str implements Json {
    private final byte @Nullable [] source;
    private final int start;
    private final int end;
    private @Nullable String text; // benign race: every thread computes an equal value

    Str(String text) {
      this.text = Objects.requireNonNull(text, "text");
      this.source = null;
      this.start = 0;
      this.end = 0;
    }

    Str(byte[] source, int start, int end) {
      this.source = source;
      this.start = start;
      this.end = end;
    }

    /** Returns the characters. A lone surrogate that was written as an escape is kept. */
    public String text() {
      String decoded = text;
      if (decoded == null) {
        decoded = JsonText.decode(Objects.requireNonNull(source), start + 1, end - 1);
        text = decoded;
      }
      return decoded;
    }

    /**
     * Returns whether the text begins with a prefix, ignoring case. Decodes only the beginning, and
     * only when it has escapes or characters beyond ASCII.
     *
     * @param ascii the prefix, in ASCII, such as {@code data:}
     */
    public boolean startsWithIgnoreCase(String ascii) {
      return source == null || text != null
          ? text().regionMatches(true, 0, ascii, 0, ascii.length())
          : JsonText.startsWithIgnoreCase(ascii, source, start + 1, end - 1);
    }

    /**
     * Returns an upper bound of the length of {@link #text()} in UTF-8 bytes; exact unless the
     * source has escapes. Decodes nothing.
     */
    public int utf8Bound() {
      return source == null ? JsonText.utf8Length(text()) : end - start - 2;
    }

    /**
     * Returns the first characters of {@link #text()}, or all when there are no more. Decodes only
     * these, so that the beginning of a text of megabytes is shown at almost no cost.
     *
     * @param maxChars how many characters at most; not negative
     */
    public String beginning(int maxChars) {
      String decoded = text;
      if (decoded == null) {
        byte[] bytes = Objects.requireNonNull(source);
        int cutEnd = JsonText.endOfChars(maxChars, bytes, start + 1, end - 1);
        decoded = cutEnd == end - 1 ? text() : JsonText.decode(bytes, start + 1, cutEnd);
      }
      return decoded.length() <= maxChars ? decoded : decoded.substring(0, maxChars);
    }

    public boolean isEmpty() {
      return source == null ? text().isEmpty() : end - start == 2;
    }

    /** Returns whether the text is this word. Decodes it only if it has escapes or non-ASCII. */
    public boolean is(String word) {
      return source == null || text != null
          ? text().equals(word)
          : JsonText.is(word, source, start + 1, end - 1);
    }

    /**
     * Returns the offset of this literal's opening quote in a document; -1 when the string was not
     * read from this array. For adapters that look at the bytes around a text.
     */
    public int offsetIn(byte[] document) {
      return source == document ? start : -1;
    }

    @Override
    public int writtenLength() {
      return source == null ? Json.super.writtenLength() : end - start;
    }

    @Override
    public void writeTo(JsonOutput out) {
      if (source == null) {
        out.string(text());
      } else {
        out.bytes(source, start, end);
      }
    }

    @Override
    public Str detached() {
      return source == null
          ? this
          : new Str(Arrays.copyOfRange(source, start, end), 0, end - start);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Str that && text().equals(that.text());
    }

    @Override
    public int hashCode() {
      return text().hashCode();
    }

    @Override
    public String toString() {
      return JsonText.show(this);
    }
  }

  /** A number that keeps its spelling. */
  final class Num implements Json {
    private final byte @Nullable [] source;
    private final int start;
    private final int end;
    private @Nullable String spelling;

    Num(String spelling) {
      this.spelling = spelling;
      this.source = null;
      this.start = 0;
      this.end = 0;
    }

    Num(byte[] source, int start, int end) {
      this.source = source;
      this.start = start;
      this.end = end;
    }

    /** Returns the offset of this number in the document; -1 when it was not read from it. */
    public int offsetIn(byte[] document) {
      return source == document ? start : -1;
    }

    public String spelling() {
      String decoded = spelling;
      if (decoded == null) {
        decoded = JsonText.decodeLatin1(Objects.requireNonNull(source), start, end);
        spelling = decoded;
      }
      return decoded;
    }

    /**
     * Returns the exact value.
     *
     * @throws NumberFormatException when the exponent is beyond 32 bits, which JSON allows
     */
    public BigDecimal decimal() {
      return new BigDecimal(spelling());
    }

    /**
     * Returns the value when it is a whole number that fits into a {@code long}, also when spelled
     * {@code 1.0} or {@code 1e3}; otherwise empty.
     */
    public OptionalLong asLong() {
      return source == null || end - start > JsonText.LONG_DIGITS
          ? JsonText.asLong(spelling())
          : JsonText.asLong(source, start, end);
    }

    @Override
    public int writtenLength() {
      return source == null ? spelling().length() : end - start;
    }

    @Override
    public void writeTo(JsonOutput out) {
      if (source == null) {
        out.ascii(spelling());
      } else {
        out.bytes(source, start, end);
      }
    }

    @Override
    public Num detached() {
      return source == null ? this : new Num(spelling());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Num that && spelling().equals(that.spelling());
    }

    @Override
    public int hashCode() {
      return spelling().hashCode();
    }

    @Override
    public String toString() {
      return spelling();
    }
  }

  /** {@code true} or {@code false}. */
  record Bool(boolean value) implements Json {
    @Override
    public void writeTo(JsonOutput out) {
      out.ascii(value ? "true" : "false");
    }

    @Override
    public String toString() {
      return Boolean.toString(value);
    }
  }

  /** The explicit null, which is not the same as an absent member. */
  record Null() implements Json {
    @Override
    public void writeTo(JsonOutput out) {
      out.ascii("null");
    }

    @Override
    public String toString() {
      return "null";
    }
  }

  /** A list of values. */
  final class Arr extends AbstractList<Json> implements Json, RandomAccess {
    private final Json[] items;
    private final byte @Nullable [] source;
    private final int start;
    private final int end;

    Arr(Json[] items, byte @Nullable [] source, int start, int end) {
      this.items = items;
      this.source = source;
      this.start = start;
      this.end = end;
    }

    @Override
    public Json get(int index) {
      return items[index];
    }

    @Override
    public int size() {
      return items.length;
    }

    /**
     * Returns the number of bytes the array was read from; 0 when it was created or changed here.
     */
    public int sourceLength() {
      return end - start;
    }

    /** Returns a copy with one item replaced. The other items keep their source. */
    public Arr with(int index, Json item) {
      Json[] newItems = items.clone();
      newItems[index] = Objects.requireNonNull(item, "item");
      return new Arr(newItems, null, 0, 0);
    }

    @Override
    public int writtenLength() {
      return source != null ? end - start : Json.super.writtenLength();
    }

    @Override
    public void writeTo(JsonOutput out) {
      if (source != null) {
        out.bytes(source, start, end);
        return;
      }
      out.raw('[');
      for (int i = 0; i < items.length; i++) {
        if (i > 0) {
          out.raw(',');
        }
        items[i].writeTo(out);
      }
      out.raw(']');
    }

    @Override
    public Arr detached() {
      Json[] copies = new Json[items.length];
      for (int i = 0; i < copies.length; i++) {
        copies[i] = items[i].detached();
      }
      return new Arr(copies, null, 0, 0);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Arr that ? Arrays.equals(items, that.items) : super.equals(other);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(items);
    }

    @Override
    public String toString() {
      return JsonText.show(this);
    }
  }

  /** Named values in their original order. Names are unique. */
  final class Obj implements Json {
    public static final Obj EMPTY = new Obj(new String[0], new Json[0], null, 0, 0);

    private final String[] names;
    private final Json[] values;
    private final byte @Nullable [] source;
    private final int start;
    private final int end;

    Obj(String[] names, Json[] values, byte @Nullable [] source, int start, int end) {
      this.names = names;
      this.values = values;
      this.source = source;
      this.start = start;
      this.end = end;
    }

    public int size() {
      return names.length;
    }

    /**
     * Returns the number of bytes the object was read from; 0 when it was created or changed here.
     */
    public int sourceLength() {
      return end - start;
    }

    public String name(int index) {
      return names[index];
    }

    public Json value(int index) {
      return values[index];
    }

    /** Returns the index of a member; -1 when there is none. */
    public int indexOf(String name) {
      for (int i = 0; i < names.length; i++) {
        if (names[i].equals(name)) {
          return i;
        }
      }
      return -1;
    }

    public boolean has(String name) {
      return indexOf(name) >= 0;
    }

    /** Returns the member's value, {@link Null} included; null when there is no such member. */
    public @Nullable Json get(String name) {
      int i = indexOf(name);
      return i < 0 ? null : values[i];
    }

    /** Returns the member's text; null when it is absent or not a string. */
    public @Nullable String text(String name) {
      return get(name) instanceof Str str ? str.text() : null;
    }

    /** Returns the member when it is an object, otherwise null. */
    public @Nullable Obj object(String name) {
      return get(name) instanceof Obj obj ? obj : null;
    }

    /** Returns the member when it is an array, otherwise null. */
    public @Nullable Arr list(String name) {
      return get(name) instanceof Arr arr ? arr : null;
    }

    /**
     * Returns the strings of the member when it is an array, in a new list; leaves out other items.
     * Empty when the member is absent or not an array.
     */
    public List<String> texts(String name) {
      var texts = new ArrayList<String>();
      if (get(name) instanceof Arr arr) {
        for (Json item : arr) {
          if (item instanceof Str str) {
            texts.add(str.text());
          }
        }
      }
      return texts;
    }

    /** Returns the member when it is a whole number that fits a long, otherwise the default. */
    public long longValue(String name, long defaultValue) {
      return get(name) instanceof Num num ? num.asLong().orElse(defaultValue) : defaultValue;
    }

    /**
     * Returns a copy in which the member has this value, in place or at the end. The other members
     * keep their source.
     */
    public Obj with(String name, Json value) {
      Objects.requireNonNull(value, "value");
      int i = indexOf(name);
      boolean isNew = i < 0;
      int size = names.length + (isNew ? 1 : 0);
      int position = isNew ? names.length : i;
      String[] newNames = Arrays.copyOf(names, size);
      Json[] newValues = Arrays.copyOf(values, size);
      newNames[position] = name;
      newValues[position] = value;
      return new Obj(newNames, newValues, null, 0, 0);
    }

    /** Returns a copy without the member; this object when there is no such member. */
    public Obj without(String name) {
      int index = indexOf(name);
      if (index < 0) {
        return this;
      }
      int tailLength = names.length - index - 1;
      String[] newNames = Arrays.copyOf(names, names.length - 1);
      Json[] newValues = Arrays.copyOf(values, values.length - 1);
      System.arraycopy(names, index + 1, newNames, index, tailLength);
      System.arraycopy(values, index + 1, newValues, index, tailLength);
      return new Obj(newNames, newValues, null, 0, 0);
    }

    /**
     * Appends one member, {@code "name":value}; the value with its own bytes when it was not
     * changed.
     */
    public void writeMember(int index, JsonOutput out) {
      out.string(names[index]);
      out.raw(':');
      values[index].writeTo(out);
    }

    @Override
    public int writtenLength() {
      return source != null ? end - start : Json.super.writtenLength();
    }

    @Override
    public void writeTo(JsonOutput out) {
      if (source != null) {
        out.bytes(source, start, end);
        return;
      }
      out.raw('{');
      for (int i = 0; i < names.length; i++) {
        if (i > 0) {
          out.raw(',');
        }
        writeMember(i, out);
      }
      out.raw('}');
    }

    @Override
    public Obj detached() {
      Json[] copies = new Json[values.length];
      for (int i = 0; i < copies.length; i++) {
        copies[i] = values[i].detached();
      }
      return new Obj(names, copies, null, 0, 0);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Obj that
          && names.length == that.names.length
          && JsonMembers.haveEqualMembers(names, values, that.names, that.values);
    }

    @Override
    public int hashCode() {
      int hash = 0;
      for (int i = 0; i < names.length; i++) {
        hash += names[i].hashCode() ^ values[i].hashCode();
      }
      return hash;
    }

    @Override
    public String toString() {
      return JsonText.show(this);
    }

    /** Builds an object. A name that is put twice keeps its position and gets the later value. */
    public static final class Builder {
      private final JsonMembers members;

      Builder(JsonMembers members) {
        this.members = members;
      }

      public Builder put(String name, Json value) {
        members.put(name, value);
        return this;
      }

      public Builder put(String name, String value) {
        return put(name, of(value));
      }

      public Builder put(String name, long value) {
        return put(name, of(value));
      }

      public Builder put(String name, boolean value) {
        return put(name, of(value));
      }

      /** Adds the text, or an explicit null for a null value. */
      public Builder putOrNull(String name, @Nullable String value) {
        return put(name, value == null ? NULL : of(value));
      }

      /** Adds all members of another object. */
      public Builder putAll(Obj other) {
        for (int i = 0; i < other.size(); i++) {
          put(other.name(i), other.value(i));
        }
        return this;
      }

      public Obj build() {
        return members.object();
      }
    }
  }
}
