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
 * Creates evaluators for the keywords of a schema. Each is charged to the work limit before it is
 * evaluated by the library. Patterns are matched by RE2, which runs in linear time.
 */
record BoundedKeywords(WorkLimit limit) implements EvaluatorFactory {
  private static final Set<String> TYPES =
      Set.of("null", "boolean", "object", "array", "number", "string", "integer");

  private static final int MAX_PATTERN = 1_000; // characters
  private static final int MAX_WEIGHT = 50_000; // approximate states of a compiled pattern

  @Override
  public Optional<Evaluator> create(SchemaParsingContext context, String keyword, JsonNode value) {
    Optional<Evaluator> supported =
        switch (keyword) {
          case "pattern" ->
              value.isString()
                  ? Optional.of(new PatternKeyword(limit, compile(limit, value.asString())))
                  : Optional.empty();
          case "patternProperties" ->
              value.isObject()
                  ? Optional.of(
                      new PatternPropertiesKeyword(limit, patternSchemas(limit, context, value)))
                  : Optional.empty();
          case "type" ->
              isType(value)
                  ? context.getDialect().getEvaluatorFactory().create(context, keyword, value)
                  : Optional.empty();
          default -> context.getDialect().getEvaluatorFactory().create(context, keyword, value);
        };
    Evaluator evaluator = supported.orElse(IgnoredKeyword.INSTANCE);
    long size =
        switch (keyword) {
          case "dependentRequired", "dependencies", "enum", "const" -> deepSize(value);
          default -> directSize(value);
        };
    return Optional.of(new ChargedKeyword(limit, keyword, size, evaluator));
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

  private static int directSize(JsonNode node) {
    return node instanceof SchemaNode schemaNode ? schemaNode.directSize() : 1;
  }

  private static long deepSize(JsonNode node) {
    return node instanceof SchemaNode schemaNode ? schemaNode.deepSize() : 1;
  }

  private static WeightedPattern compile(WorkLimit limit, String pattern) {
    if (pattern.length() > MAX_PATTERN) {
      throw new UncheckableException("has a pattern of more than 1000 characters");
    }
    long weight = PatternWeight.of(pattern);
    if (weight > MAX_WEIGHT) {
      throw new UncheckableException("has a pattern that repeats too much");
    }
    limit.charge(weight);
    try {
      return new WeightedPattern(Pattern.compile(pattern), weight);
    } catch (PatternSyntaxException e) {
      throw new UncheckableException(
          "has a pattern that is malformed or cannot be matched in linear time");
    }
  }

  /** A pattern and its approximate number of states. */
  private record WeightedPattern(Pattern pattern, long weight) {
    /**
     * Returns whether the pattern occurs in a text; charges one step for the attempt, and more in
     * proportion to characters times states.
     */
    boolean occursIn(WorkLimit limit, String text) {
      limit.charge(1 + text.length() * weight / 8);
      return pattern.matcher(text).find();
    }
  }

  private static List<PatternSchema> patternSchemas(
      WorkLimit limit, SchemaParsingContext context, JsonNode value) {
    var result = new ArrayList<PatternSchema>();
    for (Map.Entry<String, JsonNode> entry : value.asObject().entrySet()) {
      result.add(
          new PatternSchema(
              compile(limit, entry.getKey()), context.getAbsoluteUri(entry.getValue())));
    }
    return result;
  }

  /**
   * A keyword that has no effect: an annotation, one that the draft does not define, or one whose
   * value is malformed.
   */
  private record IgnoredKeyword() implements Evaluator {
    static final IgnoredKeyword INSTANCE = new IgnoredKeyword();

    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      return Result.success();
    }
  }

  /**
   * A keyword that is charged to the work limit.
   *
   * @param size the size of the keyword's value: {@link SchemaNode#deepSize} for keywords of which
   *     the library visits every value, otherwise {@link SchemaNode#directSize}
   */
  private record ChargedKeyword(WorkLimit limit, String keyword, long size, Evaluator evaluator)
      implements Evaluator {
    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      long nodeSize = node.isObject() || node.isArray() ? directSize(node) : 1;
      limit.charge(1 + nodeSize + size);
      switch (keyword) {
        case "uniqueItems" -> limit.charge(nodeSize * deepSize(node));
        case "enum", "const" -> limit.charge(deepSize(node) + nodeSize * size);
        case "unevaluatedItems", "unevaluatedProperties" -> limit.charge(limit.steps());
        default -> {
          // charged above
        }
      }
      limit.enter();
      try {
        return evaluator.evaluate(context, node);
      } finally {
        limit.leave();
      }
    }

    @Override
    public int getOrder() {
      return evaluator.getOrder();
    }

    @Override
    @SuppressWarnings("deprecation") // the library still asks for it
    public Set<String> getVocabularies() {
      return evaluator.getVocabularies();
    }
  }

  /** The keyword {@code pattern}. */
  private record PatternKeyword(WorkLimit limit, WeightedPattern weightedPattern)
      implements Evaluator {
    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      return !node.isString() || weightedPattern.occursIn(limit, node.asString())
          ? Result.success()
          : Result.failure("the text does not match the pattern " + weightedPattern.pattern());
    }
  }

  /**
   * @param schemaUri the URI of the schema for members whose names match
   */
  private record PatternSchema(WeightedPattern namePattern, String schemaUri) {}

  /**
   * The keyword {@code patternProperties}; its result names the members it evaluated, for adjacent
   * keywords.
   */
  private record PatternPropertiesKeyword(WorkLimit limit, List<PatternSchema> schemas)
      implements Evaluator {
    @Override
    public Result evaluate(EvaluationContext context, JsonNode node) {
      if (!node.isObject()) {
        return Result.success();
      }
      boolean isValid = true;
      Set<String> evaluatedNames = new HashSet<>();
      for (Map.Entry<String, JsonNode> member : node.asObject().entrySet()) {
        for (PatternSchema patternSchema : schemas) {
          if (patternSchema.namePattern().occursIn(limit, member.getKey())) {
            evaluatedNames.add(member.getKey());
            isValid &=
                context.resolveInternalRefAndValidate(patternSchema.schemaUri(), member.getValue());
          }
        }
      }
      return isValid ? Result.success(evaluatedNames) : Result.failure("a member does not fit");
    }
  }
}
