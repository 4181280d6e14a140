package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class StringLiteralProperties {
  @Property
  void matchesExactlyWhatTheParserReadsAsAString(@ForAll("literals") byte[] bytes) {
    boolean parsed;
    try {
      parsed = MinimalCodec.CODEC.parse(bytes.clone()) instanceof Json.Str && bytes[0] == '"';
    } catch (JsonCodec.MalformedJsonException malformed) {
      parsed = false;
    }
    boolean endsWithQuote = bytes.length > 0 && bytes[bytes.length - 1] == '"';
    assertThat(StringLiteral.matches(bytes, 0, bytes.length)).isEqualTo(parsed && endsWithQuote);
  }

  @Provide
  Arbitrary<byte[]> literals() {
    return LiteralArbitraries.any();
  }
}
