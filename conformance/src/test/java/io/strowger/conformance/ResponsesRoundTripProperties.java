package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.responses.ResponsesBodies;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.responses.ResponsesRequestWriter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A responses body that is read and written again")
class ResponsesRoundTripProperties {
  private static final JacksonCodec CODEC = new JacksonCodec();
  private static final ResponsesDecoder DECODER = new ResponsesDecoder((entry, at, problems) -> {});

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return ResponsesBodies.valid();
  }

  private static InferenceRequest read(byte[] document) throws MalformedJsonException {
    var problems = new Problems();
    InferenceRequest request = DECODER.decode((Json.Obj) CODEC.parse(document), problems);
    problems.throwIfAny();
    return request;
  }

  @Property(tries = 300)
  @Label("has the same bytes")
  void unchanged(@ForAll("bodies") Json.Obj body) throws MalformedJsonException {
    byte[] document = body.toBytes();
    assertThat(ResponsesRequestWriter.document(read(document)).toBytes()).isEqualTo(document);
  }

  @Property(tries = 300)
  @Label("is the same document when everything in it is written again")
  void rebuilt(@ForAll("bodies") Json.Obj body) throws MalformedJsonException {
    InferenceRequest bare = WithoutSource.of(read(body.toBytes()));
    assertThat(bare.messages()).allMatch(message -> message.source() == null);
    assertThat(ResponsesRequestWriter.document(bare)).isEqualTo(body);
  }

  @Property(tries = 300)
  @Label("is the same document when every message is given its own parts again")
  void sameParts(@ForAll("bodies") Json.Obj body) throws MalformedJsonException {
    InferenceRequest request = read(body.toBytes());
    InferenceRequest touched =
        request.toBuilder()
            .messages(request.messages().stream().map(m -> m.withParts(m.parts())).toList())
            .build();
    assertThat(ResponsesRequestWriter.document(touched)).isEqualTo(body);
  }
}
