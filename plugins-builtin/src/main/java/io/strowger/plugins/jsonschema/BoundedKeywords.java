package io.strowger.plugins.jsonschema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.harrel.jsonschema.EvaluationContext;
import dev.harrel.jsonschema.Evaluator;
import dev.harrel.jsonschema.EvaluatorFactory;
import dev.harrel.jsonschema.JsonNode;
import dev.harrel.jsonschema.SchemaParsingContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keywords of the library, each of which pays for its work before it is done; patterns are
 * those of an engine that runs in linear time.
 */
record BoundedKeywords(WorkLimit limit) implements EvaluatorFactory {
  private static final int MOST_PATTERN = 1_000; // characters

  @Override
  public Optional<Evaluator> create(SchemaParsingContext context, String keyword, JsonNode value) {
    Optional<Evaluator> own =
        switch (keyword) {
          case "pattern" ->
              value.isString()
                  ? Optional.of(new Matching(limit, compiled(value.asString())))
                  : Optional.empty();
          case "patternProperties" ->
              value.isObject()
                  ? Optional.of(new Named(limit, named(context, value)))
                  : Optional.empty();
          default -> context.getDialect().getEvaluatorFactory().create(context, keyword, value);
        };
    Evaluator known = own.orElse(Ignored.KEYWORD);
    return Optional.of(new Paid(limit, keyword, sizeOf(value), known));
  }

  private static int sizeOf(JsonNode node) {
    return node instanceof SchemaNode known ? known.size() : 1;
  }

  private static Pattern compiled(String pattern) {
    if (pattern.length() > MOST_PATTERN) {
      throw new WorkLimit.Exceeded("has a pattern of more than 1000 characters");
    }
    try {
      return Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new WorkLimit.Exceeded(
          "has a pattern that is malformed or cannot be matched in linear time");
    }
  }

  private static List<NamedSchema> named(SchemaParsingContext context, JsonNode value) {
    var all = new ArrayList<NamedSchema>();
    for (Map.Entry<String, JsonNode> one : value.asObject().entrySet()) {
      all.add(new NamedSchema(compiled(one.getKey()), context.getAbsoluteUri(one.getValue())));
    }
    return all;
  }

  /** A keyword the draft does not know, or knows as a note. */
  private record Ignored() implements Evaluator {
    static final Ignored KEYWORD = new Ignored();

    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      return Result.success();
    }
  }

  /** A keyword that pays. */
  private record Paid(WorkLimit limit, String keyword, int size, Evaluator keywordOf)
      implements Evaluator {
    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      long given = node.isObject() || node.isArray() ? sizeOf(node) : 1;
      limit.charge(1 + given + size);
      switch (keyword) {
        case "uniqueItems" -> limit.charge(given * given);
        case "enum", "const" -> limit.charge(given * size);
        case "unevaluatedItems", "unevaluatedProperties" -> limit.charge(limit.steps());
        default -> {
          // paid
        }
      }
      limit.enter();
      try {
        return keywordOf.evaluate(context, node);
      } finally {
        limit.leave();
      }
    }

    @Override
    public int getOrder() {
      return keywordOf.getOrder();
    }

    @Override
    public Set<String> getVocabularies() {
      return keywordOf.getVocabularies();
    }
  }

  /** {@code pattern}. */
  private record Matching(WorkLimit limit, Pattern pattern) implements Evaluator {
    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      return !node.isString() || finds(limit, pattern, node.asString())
          ? Result.success()
          : Result.failure("the text does not match the pattern " + pattern);
    }
  }

  private static boolean finds(WorkLimit limit, Pattern pattern, String text) {
    limit.charge((long) text.length() * pattern.pattern().length() / 8);
    return pattern.matcher(text).find();
  }

  /**
   * @param schema where the schema is of members whose names match
   */
  private record NamedSchema(Pattern name, String schema) {}

  /** {@code patternProperties}; tells its neighbours which members it judged. */
  private record Named(WorkLimit limit, List<NamedSchema> schemas) implements Evaluator {
    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      if (!node.isObject()) {
        return Result.success();
      }
      boolean fits = true;
      Set<String> judged = new HashSet<>();
      for (Map.Entry<String, JsonNode> member : node.asObject().entrySet()) {
        for (NamedSchema one : schemas) {
          if (finds(limit, one.name(), member.getKey())) {
            judged.add(member.getKey());
            fits &= context.resolveInternalRefAndValidate(one.schema(), member.getValue());
          }
        }
      }
      return fits ? Result.success(judged) : Result.failure("a member does not fit");
    }
  }
}
