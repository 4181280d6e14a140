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
 * The keywords of the library, each charged to the work limit before it is evaluated; patterns use
 * an engine that runs in linear time.
 */
record BoundedKeywords(WorkLimit limit) implements EvaluatorFactory {
  private static final Set<String> TYPES =
      Set.of("null", "boolean", "object", "array", "number", "string", "integer");

  private static final int MAX_PATTERN = 1_000; // characters
  private static final int MAX_WEIGHT = 50_000; // approximate states of a compiled pattern

  @Override
  public Optional<Evaluator> create(SchemaParsingContext context, String keyword, JsonNode value) {
    Optional<Evaluator> own =
        switch (keyword) {
          case "pattern" ->
              value.isString()
                  ? Optional.of(new Matching(limit, compiled(limit, value.asString())))
                  : Optional.empty();
          case "patternProperties" ->
              value.isObject()
                  ? Optional.of(new Named(limit, named(limit, context, value)))
                  : Optional.empty();
          case "type" ->
              isType(value)
                  ? context.getDialect().getEvaluatorFactory().create(context, keyword, value)
                  : Optional.empty();
          default -> context.getDialect().getEvaluatorFactory().create(context, keyword, value);
        };
    Evaluator known = own.orElse(Ignored.KEYWORD);
    long size =
        switch (keyword) {
          case "dependentRequired", "dependencies", "enum", "const" -> weightOf(value);
          default -> sizeOf(value);
        };
    return Optional.of(new Paid(limit, keyword, size, known));
  }

  /** Returns whether the value names only known types; the library fails on others. */
  private static boolean isType(JsonNode value) {
    return value.isArray()
        ? value.asArray().stream().allMatch(BoundedKeywords::isTypeName)
        : isTypeName(value);
  }

  private static boolean isTypeName(JsonNode value) {
    return value.isString() && TYPES.contains(value.asString());
  }

  private static int sizeOf(JsonNode node) {
    return node instanceof SchemaNode known ? known.size() : 1;
  }

  private static long weightOf(JsonNode node) {
    return node instanceof SchemaNode known ? known.weight() : 1;
  }

  private static Weighed compiled(WorkLimit limit, String pattern) {
    if (pattern.length() > MAX_PATTERN) {
      throw new WorkLimit.Exceeded("has a pattern of more than 1000 characters");
    }
    long weight = PatternWeight.of(pattern);
    if (weight > MAX_WEIGHT) {
      throw new WorkLimit.Exceeded("has a pattern that repeats too much");
    }
    limit.charge(weight);
    try {
      return new Weighed(Pattern.compile(pattern), weight);
    } catch (PatternSyntaxException e) {
      throw new WorkLimit.Exceeded(
          "has a pattern that is malformed or cannot be matched in linear time");
    }
  }

  /** A pattern and its approximate number of states. */
  private record Weighed(Pattern pattern, long weight) {
    /**
     * Returns whether the pattern occurs in a text; charges in proportion to characters times
     * states.
     */
    boolean finds(WorkLimit limit, String text) {
      limit.charge(text.length() * weight / 8);
      return pattern.matcher(text).find();
    }
  }

  private static List<NamedSchema> named(
      WorkLimit limit, SchemaParsingContext context, JsonNode value) {
    var all = new ArrayList<NamedSchema>();
    for (Map.Entry<String, JsonNode> one : value.asObject().entrySet()) {
      all.add(
          new NamedSchema(compiled(limit, one.getKey()), context.getAbsoluteUri(one.getValue())));
    }
    return all;
  }

  /** A keyword that the draft does not define, or an annotation; every value is valid. */
  private record Ignored() implements Evaluator {
    static final Ignored KEYWORD = new Ignored();

    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      return Result.success();
    }
  }

  /**
   * A keyword that is charged to the work limit.
   *
   * @param size the size of the keyword's value, at any depth where the library visits all of it
   */
  private record Paid(WorkLimit limit, String keyword, long size, Evaluator keywordOf)
      implements Evaluator {
    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      long given = node.isObject() || node.isArray() ? sizeOf(node) : 1;
      limit.charge(1 + given + size);
      switch (keyword) {
        case "uniqueItems" -> limit.charge(given * weightOf(node));
        case "enum", "const" -> limit.charge(weightOf(node) + given * size);
        case "unevaluatedItems", "unevaluatedProperties" -> limit.charge(limit.steps());
        default -> {
          // charged above
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
    @SuppressWarnings("deprecation") // the library still asks for it
    public Set<String> getVocabularies() {
      return keywordOf.getVocabularies();
    }
  }

  /** The keyword {@code pattern}. */
  private record Matching(WorkLimit limit, Weighed weighed) implements Evaluator {
    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      return !node.isString() || weighed.finds(limit, node.asString())
          ? Result.success()
          : Result.failure("the text does not match the pattern " + weighed.pattern());
    }
  }

  /**
   * @param schema the URI of the schema for members whose names match
   */
  private record NamedSchema(Weighed name, String schema) {}

  /**
   * The keyword {@code patternProperties}; its result names the members it evaluated, for adjacent
   * keywords.
   */
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
          if (one.name().finds(limit, member.getKey())) {
            judged.add(member.getKey());
            fits &= context.resolveInternalRefAndValidate(one.schema(), member.getValue());
          }
        }
      }
      return fits ? Result.success(judged) : Result.failure("a member does not fit");
    }
  }
}
