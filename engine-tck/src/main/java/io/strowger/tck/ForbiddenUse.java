package io.strowger.tck;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a plugin must not use, and what it uses instead. */
enum ForbiddenUse {
  CLOCK(
      "reads a clock",
      "An interceptor or a tool asks chain.now() and chain.remaining(); a router knows no time."),
  RANDOMNESS(
      "is random",
      "A router asks candidates.random(n); a generator with a seed taken from it is fine too."),
  THREADS(
      "starts threads or sleeps",
      "A plugin works on the thread it is called on; chain.callAll makes calls at the same time."),
  NETWORK(
      "uses the network",
      "An interceptor or a tool that must says so in its test: override usesNetwork()."),
  FILES(
      "uses files",
      "An interceptor or a tool that must says so in its test: override usesFiles()."),
  PROCESS("acts on the process", "The process belongs to whoever embeds the gateway."),
  REFLECTION("calls by reflection", "Call it directly, so that it is seen what is called."),
  STATIC_STATE(
      "keeps state in a static field",
      "What requests share is in a field of the instance, what is of one in local variables.");

  private static final Set<String> FILE_QUESTIONS =
      Set.of(
          "exists",
          "isFile",
          "isDirectory",
          "list",
          "listFiles",
          "length",
          "lastModified",
          "delete",
          "deleteOnExit",
          "mkdir",
          "mkdirs",
          "createNewFile",
          "createTempFile",
          "renameTo",
          "canRead",
          "canWrite",
          "setLastModified",
          "getCanonicalPath",
          "getCanonicalFile");
  private static final Set<String> FILE_TYPES =
      Set.of(
          "java/io/FileInputStream",
          "java/io/FileOutputStream",
          "java/io/FileReader",
          "java/io/FileWriter",
          "java/io/RandomAccessFile",
          "java/nio/channels/FileChannel",
          "java/nio/channels/AsynchronousFileChannel",
          "java/nio/file/Files",
          "java/util/zip/ZipFile",
          "java/util/jar/JarFile");
  private static final Set<String> NETWORK_TYPES =
      Set.of(
          "java/net/Socket",
          "java/net/ServerSocket",
          "java/net/DatagramSocket",
          "java/net/MulticastSocket",
          "java/net/URLConnection",
          "java/net/HttpURLConnection",
          "java/net/InetAddress",
          "java/net/http/HttpClient",
          "java/nio/channels/SocketChannel",
          "java/nio/channels/ServerSocketChannel",
          "java/nio/channels/DatagramChannel",
          "java/nio/channels/AsynchronousSocketChannel",
          "java/nio/channels/AsynchronousServerSocketChannel");
  private static final Set<String> THREAD_TYPES =
      Set.of(
          "java/util/concurrent/Executors",
          "java/util/concurrent/ThreadPoolExecutor",
          "java/util/concurrent/ScheduledThreadPoolExecutor",
          "java/util/concurrent/ForkJoinPool",
          "java/util/concurrent/ForkJoinTask",
          "java/util/Timer");
  private static final Set<String> THREAD_STARTS =
      Set.of(
          "<init>", "start", "startVirtualThread", "ofVirtual", "ofPlatform", "sleep", "unstarted");
  private static final Set<String> REFLECTIVE =
      Set.of(
          "java/lang/reflect/Method.invoke",
          "java/lang/reflect/Constructor.newInstance",
          "java/lang/reflect/Proxy.newProxyInstance",
          "java/lang/Class.forName",
          "java/lang/Class.newInstance",
          "java/lang/ClassLoader.loadClass",
          "java/lang/invoke/MethodHandles.lookup",
          "java/lang/invoke/MethodHandles.publicLookup",
          "java/lang/invoke/MethodHandles.privateLookupIn");

  private final String does;
  private final String instead;

  ForbiddenUse(String does, String instead) {
    this.does = does;
    this.instead = instead;
  }

  /** What such code does, with what a plugin does instead. */
  String explained() {
    return does + ". " + instead;
  }

  /** Returns what a reference to a method is; null when it is harmless. */
  static @Nullable ForbiddenUse of(String owner, String name, String descriptor) {
    if (isClock(owner, name, descriptor)) {
      return CLOCK;
    }
    if (isRandom(owner, name, descriptor)) {
      return RANDOMNESS;
    }
    if (isThread(owner, name)) {
      return THREADS;
    }
    if (NETWORK_TYPES.contains(owner)
        || owner.startsWith("javax/net/")
        || owner.equals("java/net/URL") && (name.startsWith("open") || name.equals("getContent"))) {
      return NETWORK;
    }
    if (FILE_TYPES.contains(owner)
        || owner.equals("java/io/File") && FILE_QUESTIONS.contains(name)) {
      return FILES;
    }
    if (isProcess(owner, name)) {
      return PROCESS;
    }
    return REFLECTIVE.contains(owner + "." + name) || owner.equals("sun/misc/Unsafe")
        ? REFLECTION
        : null;
  }

  private static boolean isClock(String owner, String name, String descriptor) {
    return switch (owner) {
      case "java/lang/System" -> name.equals("currentTimeMillis") || name.equals("nanoTime");
      case "java/util/Date", "java/util/GregorianCalendar" ->
          name.equals("<init>") && descriptor.equals("()V");
      case "java/util/Calendar" -> name.equals("getInstance");
      case "java/time/Clock" -> name.startsWith("system") || name.startsWith("tick");
      case "java/time/InstantSource" -> name.equals("system");
      default -> owner.startsWith("java/time/") && name.equals("now");
    };
  }

  private static boolean isRandom(String owner, String name, String descriptor) {
    return switch (owner) {
      case "java/lang/Math", "java/lang/StrictMath" -> name.equals("random");
      case "java/lang/System" -> name.equals("identityHashCode");
      case "java/util/UUID" -> name.equals("randomUUID");
      case "java/util/Random", "java/util/SplittableRandom" ->
          name.equals("<init>") && descriptor.equals("()V");
      case "java/util/Collections" ->
          name.equals("shuffle") && descriptor.equals("(Ljava/util/List;)V");
      case "java/util/concurrent/ThreadLocalRandom", "java/security/SecureRandom" -> true;
      case "java/util/random/RandomGenerator" -> name.equals("getDefault") || name.equals("of");
      default -> owner.equals("java/util/random/RandomGeneratorFactory");
    };
  }

  private static boolean isThread(String owner, String name) {
    if (THREAD_TYPES.contains(owner)
        || owner.startsWith("java/util/concurrent/StructuredTaskScope")
        || owner.startsWith("java/lang/Thread$Builder")) {
      return true;
    }
    return switch (owner) {
      case "java/lang/Thread" -> THREAD_STARTS.contains(name);
      case "java/util/concurrent/TimeUnit" -> name.equals("sleep");
      case "java/util/concurrent/CompletableFuture", "java/util/concurrent/CompletionStage" ->
          name.endsWith("Async")
              || name.equals("orTimeout")
              || name.equals("completeOnTimeout")
              || name.equals("delayedExecutor");
      default ->
          owner.startsWith("java/util/")
              && (name.equals("parallelStream") || name.equals("parallel"));
    };
  }

  private static boolean isProcess(String owner, String name) {
    return switch (owner) {
      case "java/lang/System" ->
          name.equals("exit")
              || name.equals("load")
              || name.equals("loadLibrary")
              || name.equals("setProperty")
              || name.equals("setOut")
              || name.equals("setErr");
      case "java/lang/Runtime" ->
          name.equals("exit")
              || name.equals("halt")
              || name.equals("exec")
              || name.equals("addShutdownHook");
      default -> owner.equals("java/lang/ProcessBuilder");
    };
  }

  /** Returns whether what a static final field of this type holds can change. */
  static boolean isMutable(String type) {
    return type.startsWith("Ljava/util/concurrent/") && !type.endsWith("/TimeUnit;")
        || type.equals("Ljava/lang/ThreadLocal;")
        || type.equals("Ljava/util/HashMap;")
        || type.equals("Ljava/util/LinkedHashMap;")
        || type.equals("Ljava/util/TreeMap;")
        || type.equals("Ljava/util/HashSet;")
        || type.equals("Ljava/util/ArrayList;")
        || type.equals("Ljava/util/ArrayDeque;")
        || type.equals("Ljava/util/Random;")
        || type.equals("Ljava/util/SplittableRandom;");
  }
}
