package io.strowger.providers.upstream;

import io.strowger.spi.json.JsonOutput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Arbitrary bytes in place of a JSON string: valid strings, near misses and garbage. */
public final class LiteralArbitraries {
  private LiteralArbitraries() {}

  /** Returns bytes made of pieces that matter to a parser of JSON strings. */
  public static Arbitrary<byte[]> any() {
    Arbitrary<byte[]> piece =
        Arbitraries.of(
                "a",
                "\"",
                "\\",
                "\\n",
                "\\\"",
                "\\u00e4",
                "\\u12",
                "\\x",
                "\n",
                "\u00e4",
                "\u2603",
                "\ud83e\udd8a",
                "{",
                ",",
                " ")
            .map(LiteralArbitraries::bytes);
    Arbitrary<byte[]> raw =
        Arbitraries.of(0x80, 0xC0, 0xC2, 0xE0, 0xED, 0xA0, 0xF0, 0xF4, 0x90, 0xFF, 0x1F, 0x7F)
            .map(b -> new byte[] {(byte) (int) b});
    Arbitrary<byte[]> inside =
        Arbitraries.oneOf(piece, piece, raw).list().ofMaxSize(5).map(LiteralArbitraries::joined);
    return Combinators.combine(inside, Arbitraries.of(0, 0, 0, 1, 2, 3))
        .as(
            (middle, quotes) ->
                joined(
                    List.of(
                        bytes((quotes & 1) == 0 ? "\"" : ""),
                        middle,
                        bytes((quotes & 2) == 0 ? "\"" : ""))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(List<byte[]> pieces) {
    var out = new JsonOutput(32);
    pieces.forEach(out::bytes);
    return out.toByteArray();
  }
}
