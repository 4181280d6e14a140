package io.strowger.conformance;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMembers;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.strowger.spi.provider.ChatProvider;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rules of the architecture that can be checked in bytecode. Packages are matched by their end,
 * so that the classes of {@code planted} can break each rule in a test.
 */
final class Rules {
  private static final String SPI = "..strowger.spi..";
  private static final String CORE = "..strowger.core..";
  private static final String PLAN = "..strowger.core.plan..";
  private static final String AMBIENT = "..strowger.core.ambient..";
  private static final String LOADING = "..strowger.core.loading..";
  private static final String PROVIDERS = "..strowger.providers..";
  private static final String SIMULATED = "..strowger.simulated..";
  private static final String PLUGINS = "..strowger.plugins..";
  private static final String STORES = "..strowger.stores..";
  private static final String HOST = "..strowger.host..";
  private static final String CLI = "..strowger.host.cli..";
  private static final String TCK = "..strowger.tck..";
  private static final String DESTINATIONS = "..strowger.destinations..";
  private static final String TELEMETRY = "..strowger.telemetry..";
  private static final String TYPED = "..strowger.typed..";
  private static final String SERVLET = "..strowger.servlet..";
  private static final String SPRING = "..strowger.spring..";
  private static final String LANGCHAIN4J = "..strowger.langchain4j..";
  private static final String SPRING_AI = "..strowger.springai..";

  private Rules() {}

  static final ArchRule SPI_DEPENDS_ONLY_ON_JDK =
      classes()
          .that()
          .resideInAPackage(SPI)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      SPI,
                      "java.lang",
                      "java.lang.annotation",
                      "java.lang.ref", // lets a catalog be collected although values were
                      // computed from it
                      "java.lang.runtime",
                      "java.io",
                      "java.math",
                      "java.net",
                      "java.nio..",
                      "java.time..",
                      "java.util",
                      "java.util.function",
                      "java.util.regex",
                      "java.util.stream",
                      "java.util.concurrent.atomic",
                      "org.jspecify..")
                  .or(arrayOfPrimitives()))
          .because("authors compile against it: no parser, no logging, no HTTP, no Flow");

  static final ArchRule CORE_DEPENDS_ONLY_ON_SPI =
      dependsOnlyOnSpi(
          CORE, PROVIDERS, SIMULATED, PLUGINS, STORES, DESTINATIONS, TELEMETRY, TYPED, HOST, TCK);
  static final ArchRule PROVIDERS_DEPEND_ONLY_ON_SPI =
      dependsOnlyOnSpi(
          PROVIDERS, CORE, SIMULATED, PLUGINS, STORES, DESTINATIONS, TELEMETRY, TYPED, HOST, TCK);
  static final ArchRule SIMULATED_DEPENDS_ONLY_ON_SPI =
      dependsOnlyOnSpi(
          SIMULATED, CORE, PROVIDERS, PLUGINS, STORES, DESTINATIONS, TELEMETRY, TYPED, HOST, TCK);
  static final ArchRule PLUGINS_DEPEND_ONLY_ON_SPI =
      dependsOnlyOnSpi(
          PLUGINS, CORE, PROVIDERS, SIMULATED, STORES, DESTINATIONS, TELEMETRY, TYPED, HOST, TCK);
  static final ArchRule STORES_DEPEND_ONLY_ON_SPI =
      dependsOnlyOnSpi(
          STORES, CORE, PROVIDERS, SIMULATED, PLUGINS, DESTINATIONS, TELEMETRY, TYPED, HOST, TCK);
  static final ArchRule DESTINATIONS_DEPEND_ONLY_ON_SPI =
      dependsOnlyOnSpi(
          DESTINATIONS, CORE, PROVIDERS, SIMULATED, PLUGINS, STORES, TELEMETRY, TYPED, HOST, TCK);
  static final ArchRule TELEMETRY_DEPENDS_ONLY_ON_SPI =
      dependsOnlyOnSpi(
          TELEMETRY, CORE, PROVIDERS, SIMULATED, PLUGINS, STORES, DESTINATIONS, TYPED, HOST, TCK);
  static final ArchRule TCK_DEPENDS_ONLY_ON_SPI =
      dependsOnlyOnSpi(
          TCK, CORE, PROVIDERS, SIMULATED, PLUGINS, STORES, DESTINATIONS, TELEMETRY, TYPED, HOST);

  static final ArchRule TYPED_DEPENDS_ONLY_ON_CLIENT =
      noClasses()
          .that()
          .resideInAPackage(TYPED)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      PROVIDERS, SIMULATED, PLUGINS, STORES, DESTINATIONS, TELEMETRY, HOST, TCK)
                  .or(
                      resideInAPackage(CORE)
                          .and(
                              resideOutsideOfPackages(
                                  "..strowger.core.client..", "..strowger.core.json.."))))
          .because("it implements the client's interfaces and knows nothing of the engine");

  static final ArchRule SERVLET_DEPENDS_ONLY_ON_WIRE =
      noClasses()
          .that()
          .resideInAPackage(SERVLET)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      PROVIDERS,
                      SIMULATED,
                      PLUGINS,
                      STORES,
                      DESTINATIONS,
                      TELEMETRY,
                      TYPED,
                      HOST,
                      TCK)
                  .or(
                      resideInAPackage(CORE)
                          .and(
                              resideOutsideOfPackages(
                                  "..strowger.core",
                                  "..strowger.core.wire..",
                                  "..strowger.core.http..",
                                  "..strowger.core.ambient.."))))
          .because("it passes requests on and contains no rules of the gateway");

  static final ArchRule STARTER_USES_NO_ENGINE_INTERNALS =
      noClasses()
          .that()
          .resideInAPackage(SPRING)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(PROVIDERS, SIMULATED, PLUGINS, DESTINATIONS, TYPED, HOST, TCK)
                  .or(
                      resideInAPackage(CORE)
                          .and(
                              resideOutsideOfPackages(
                                  "..strowger.core",
                                  "..strowger.core.config..",
                                  "..strowger.core.json..",
                                  AMBIENT,
                                  LOADING))))
          .because("it configures a gateway from a framework and contains no rules of the gateway");

  static final ArchRule MODELS_DEPEND_ONLY_ON_CLIENT =
      noClasses()
          .that()
          .resideInAnyPackage(LANGCHAIN4J, SPRING_AI)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      PROVIDERS,
                      SIMULATED,
                      PLUGINS,
                      STORES,
                      DESTINATIONS,
                      TELEMETRY,
                      TYPED,
                      HOST,
                      TCK)
                  .or(
                      resideInAPackage(CORE)
                          .and(resideOutsideOfPackages("..strowger.core.client.."))))
          .because("they use the client like any program and contain no rules of the gateway");

  private static ArchRule dependsOnlyOnSpi(String module, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(module)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .because("modules other than the SPI do not depend on each other");
  }

  static final ArchRule DATABASES_ONLY_IN_STORES =
      noClasses()
          .that()
          .resideOutsideOfPackage(STORES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "org.jdbi..")
          .because("whoever embeds the engine with other stores needs no database library");

  static final ArchRule TELEMETRY_LIBRARIES_ONLY_IN_ADAPTERS =
      noClasses()
          .that()
          .resideOutsideOfPackages(TELEMETRY, SPRING, SPRING_AI, HOST)
          .should()
          // except the messages of OTLP, which exporters of destinations write; they are in a
          // separate library
          .dependOnClassesThat(
              resideInAnyPackage("io.opentelemetry..", "io.micrometer..", "io.prometheus..")
                  .and(resideOutsideOfPackage("io.opentelemetry.proto..")))
          .because("whoever embeds the engine without them needs none of these libraries");

  static final ArchRule NO_PACKAGE_CYCLES =
      slices()
          .matching("(**)")
          .should()
          .beFreeOfCycles()
          .because("packages that need each other cannot be read one after the other");

  static final ArchRule PLAN_IS_PURE =
      noClasses()
          .that()
          .resideInAPackage(PLAN)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "java.io..",
                  "java.net..",
                  "java.nio..",
                  "java.util.concurrent..",
                  "org.slf4j..",
                  AMBIENT,
                  "..strowger.spi.ambient.."))
          .because("deciding performs no I/O, waits for nothing and reads no clock");

  static final ArchRule TIME_COMES_FROM_AMBIENT =
      noClasses()
          .that()
          .resideOutsideOfPackages(AMBIENT, TCK)
          .should()
          .callMethodWhere(
              target(
                  "reads the time or sleeps",
                  Set.of(
                      "java.lang.System.nanoTime",
                      "java.lang.System.currentTimeMillis",
                      "java.lang.Thread.sleep")))
          .orShould()
          .callMethodWhere(nowOfJavaTime())
          .orShould(dependOnClassesThat(named(Set.of("java.time.Clock", "java.util.Timer"))))
          .because("time comes from Ambient, so that a test can control it");

  static final ArchRule RANDOMNESS_COMES_FROM_AMBIENT =
      noClasses()
          .that()
          .resideOutsideOfPackages(AMBIENT, TCK)
          .should(
              dependOnClassesThat(
                  named(
                      Set.of(
                          "java.util.Random",
                          "java.util.SplittableRandom",
                          "java.util.concurrent.ThreadLocalRandom",
                          "java.security.SecureRandom"))))
          .orShould()
          .callMethodWhere(
              target(
                  "draws random values",
                  Set.of("java.lang.Math.random", "java.util.UUID.randomUUID")))
          .because("randomness comes from Ambient, so that a decision can be repeated");

  static final ArchRule THREADS_COME_FROM_AMBIENT =
      noClasses()
          .that()
          .resideOutsideOfPackages(AMBIENT, TCK)
          .should()
          .callMethodWhere(
              target(
                  "starts a thread",
                  Set.of(
                      "java.lang.Thread.start",
                      "java.lang.Thread.ofVirtual",
                      "java.lang.Thread.ofPlatform",
                      "java.lang.Thread.startVirtualThread",
                      "java.util.Collection.parallelStream",
                      "java.util.List.parallelStream",
                      "java.util.stream.Stream.parallel")))
          .orShould()
          .callConstructorWhere(
              describe(
                  "makes a thread", call -> call.getTargetOwner().isEquivalentTo(Thread.class)))
          .orShould(
              dependOnClassesThat(
                  named(
                      Set.of(
                          "java.util.concurrent.Executors",
                          "java.util.concurrent.ForkJoinPool",
                          "java.util.concurrent.CompletableFuture",
                          "java.util.concurrent.ThreadPoolExecutor",
                          "java.lang.ThreadLocal"))))
          .because("threads that are started elsewhere may outlive the gateway");

  static final ArchRule NO_PROVIDER_WITHOUT_FUNDS =
      classes()
          .that()
          .resideInAPackage(CORE)
          .and()
          .doNotHaveFullyQualifiedName("io.strowger.core.money.Funds")
          .should(openNoProvider())
          .because("funds come only from held money, so every request to a provider is paid for");

  static final ArchRule NOTHING_SYNCHRONIZED =
      methods()
          .should()
          .notHaveModifier(JavaModifier.SYNCHRONIZED)
          .because("a virtual thread that waits in a monitor blocks its carrier thread");

  static final ArchRule NO_STATIC_STATE =
      fields()
          .that()
          .areStatic()
          .should()
          .beFinal()
          .andShould()
          .notHaveRawType(
              resideInAPackage("java.util.concurrent..")
                  .or(named(Set.of("java.util.ArrayList", "java.util.HashMap")))
                  .or(named(Set.of("java.util.LinkedHashMap", "java.lang.StringBuilder"))))
          .because("two gateways in one JVM share no state");

  static final ArchRule NAMES_ARE_SPECIFIC =
      noClasses()
          .should()
          .haveNameMatching(".*(Utils?|Helpers?|Manager|Impl|Common|Misc)(\\$.*)?")
          .orShould()
          .haveNameMatching(".*[.$](Abstract|Base)[A-Z].*")
          .because("such a name does not say what the class is");

  static final ArchRule NO_ABSTRACT_CLASSES =
      noClasses()
          .that()
          .resideOutsideOfPackage(TCK)
          .and()
          .areNotInterfaces()
          .and()
          .areNotEnums()
          .should()
          .haveModifier(JavaModifier.ABSTRACT)
          .because("code that two classes share belongs in a third class that both use");

  static final ArchRule NO_INHERITANCE =
      classes()
          .that()
          .areNotInterfaces()
          .and()
          .areNotEnums()
          .and(describe("are no constants of an enum", type -> !isConstantOfEnum(type)))
          .should(extendNoClassOfThisProject())
          .because("a class that changes another by extending it cannot be read alone");

  static final ArchRule NO_PRINTING =
      noClasses()
          .that()
          .resideOutsideOfPackage(CLI)
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(Throwable.class, "printStackTrace")
          .because("a library does not write to its host's console");

  /** Reads the fields of plugins to find the state that they keep. */
  private static final String FIELD_READER = "io.strowger.tck.PluginStateSnapshot";

  /** Reads annotations of the records that an embedder passes to it. */
  private static final String ANNOTATION_READER = "io.strowger.typed.Nullability";

  static final ArchRule NO_REFLECTION =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(FIELD_READER)
          .and()
          .doNotHaveFullyQualifiedName(ANNOTATION_READER)
          .should(dependOnClassesThat(resideInAPackage("java.lang.reflect..")))
          .orShould()
          .callMethodWhere(
              target(
                  "looks inside classes",
                  Set.of(
                      "java.lang.Class.forName",
                      "java.lang.Class.getMethod",
                      "java.lang.Class.getMethods",
                      "java.lang.Class.getDeclaredMethods",
                      "java.lang.Class.getDeclaredFields",
                      "java.lang.Class.getDeclaredConstructor")))
          .because("what is found by name at run time is not found by a reader");

  static final ArchRule NOTHING_IS_SCANNED =
      noClasses()
          .that()
          .resideOutsideOfPackages(HOST, LOADING)
          .should()
          .callMethodWhere(target("looks for services", Set.of("java.util.ServiceLoader.load")))
          .because("the host passes its services itself, or names a directory of jars");

  static final ArchRule JACKSON_ONLY_IN_JSON_PACKAGE =
      noClasses()
          .that()
          .resideOutsideOfPackages("..strowger.core.json..", TYPED)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.fasterxml..", "com.github.victools..")
          .because(
              "the engine has one JSON model and one parser; only records of hosts use another");

  static final ArchRule CORE_HAS_FIVE_LIBRARIES =
      classes()
          .that()
          .resideInAPackage(CORE)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      CORE,
                      SPI,
                      "java..",
                      "javax.crypto..",
                      "com.fasterxml.jackson.core..",
                      "com.github.benmanes.caffeine.cache..",
                      "com.google.common.base..", // the parts of guava without its dependencies
                      "com.google.common.net..",
                      "com.google.common.util.concurrent..",
                      "com.google.re2j..",
                      "org.slf4j..",
                      "org.jspecify..")
                  .or(arrayOfPrimitives()))
          .because("whoever embeds the engine gets these libraries with it: see decision 92");

  static final ArchRule HOST_USES_NO_ENGINE_INTERNALS =
      noClasses()
          .that()
          .resideInAPackage(HOST)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "..strowger.core.attempt..",
              "..strowger.core.inference..",
              "..strowger.core.pipeline..",
              "..strowger.core.record..",
              "..strowger.core.meter..",
              PLAN)
          .because("no business rule lives in the host, so any host can wrap the engine");

  static final ArchRule NO_VENDOR_NAMES =
      noMembers()
          .should()
          .haveNameMatching("(?i).*(anthropic|openrouter|claude|mistral|cohere|deepseek|bedrock).*")
          .because("the engine serves every vendor alike and names none");

  private static boolean isConstantOfEnum(JavaClass type) {
    return type.getRawSuperclass().map(JavaClass::isEnum).orElse(false);
  }

  private static ArchCondition<JavaClass> extendNoClassOfThisProject() {
    return new ArchCondition<>("extend no class of this project") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        JavaClass parent = type.getRawSuperclass().orElse(type);
        boolean ours =
            parent != type
                && parent.getPackageName().contains("strowger")
                && !shareCases(parent, type);
        events.add(
            new SimpleConditionEvent(type, !ours, type.getName() + " extends " + parent.getName()));
      }
    };
  }

  /** Returns whether both are abstract contracts for plugin authors, which may share test cases. */
  private static boolean shareCases(JavaClass parent, JavaClass type) {
    return Stream.of(parent, type)
        .allMatch(
            one ->
                one.getPackageName().equals("io.strowger.tck")
                    && one.getModifiers().contains(JavaModifier.ABSTRACT));
  }

  private static ArchCondition<JavaClass> openNoProvider() {
    return new ArchCondition<>("not open a provider") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Stream.concat(
                type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream())
            .filter(access -> access.getTarget().getName().equals("open"))
            .filter(access -> access.getTargetOwner().isAssignableTo(ChatProvider.class))
            .forEach(
                access -> events.add(SimpleConditionEvent.violated(type, access.getDescription())));
      }
    };
  }

  private static DescribedPredicate<JavaClass> named(Set<String> names) {
    return describe("are one of " + names, type -> names.contains(type.getName()));
  }

  private static DescribedPredicate<JavaClass> arrayOfPrimitives() {
    return describe("primitives", type -> type.getBaseComponentType().isPrimitive());
  }

  private static DescribedPredicate<JavaMethodCall> target(String what, Set<String> methods) {
    return describe(
        what,
        call ->
            methods.contains(call.getTargetOwner().getName() + "." + call.getTarget().getName()));
  }

  private static DescribedPredicate<JavaMethodCall> nowOfJavaTime() {
    return describe(
        "asks java.time for now",
        call ->
            call.getTargetOwner().getPackageName().equals("java.time")
                && call.getTarget().getName().equals("now"));
  }
}
