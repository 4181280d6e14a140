package io.strowger.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;

/** The JSON library of the engine, used directly. */
final class JacksonPeer {
  private final ObjectMapper mapper = new ObjectMapper(new JsonFactory());

  /** Reads every token of each document and returns the number of values. */
  int scan(List<byte[]> documents) throws IOException {
    int values = 0;
    for (byte[] document : documents) {
      values += scan(document);
    }
    return values;
  }

  /** Visits every token without decoding any; returns the number of values. */
  int scan(byte[] document) throws IOException {
    int values = 0;
    try (JsonParser tokens = mapper.getFactory().createParser(document)) {
      for (JsonToken token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
        if (token.isScalarValue() || token.isStructStart()) {
          values++;
        }
      }
    }
    return values;
  }

  JsonNode tree(byte[] document) throws IOException {
    return mapper.readTree(document);
  }

  byte[] write(JsonNode tree) throws IOException {
    return mapper.writeValueAsBytes(tree);
  }
}
