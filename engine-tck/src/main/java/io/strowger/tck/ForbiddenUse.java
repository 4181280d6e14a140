package io.strowger.tck;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The things that plugin code must not use, each with the alternative. */
enum ForbiddenUse {
  CLOCK(
      "reads a clock",
      "An interceptor or a tool asks chain.now() and chain.remaining(); a router has no clock."),
  RANDOMNESS(
      "is random",
      "A router asks candidates.random(n); a generator with a seed taken from it is fine too."),
  THREADS(
      "starts threads or sleeps",
      "A plugin works on the thread it is called on; chain.callAll makes calls at the same time."),
  NETWORK(
      "uses the network",
      "An interceptor or a tool that needs the network overrides usesNetwork() in its test."),
  FILES(
      "uses files", "An interceptor or a tool that needs files overrides usesFiles() in its test."),
  PROCESS(
      "reads or changes the state of the process",
      "The process belongs to the program that embeds the gateway; declare settings instead"
          + " (PluginProvider.Configurable)."),
  REFLECTION("calls by reflection", "Call the method directly, so that this test sees the call."),
  STATIC_STATE(
      "keeps state in a static field",
      "Keep what requests share in a field of the instance, and what belongs to one request in"
          + " local variables.");

  private static final Set<String> FILE_METHODS =
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
          "java/net/NetworkInterface",
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
          "java/util/concurrent/Executor",
          "java/util/concurrent/ExecutorService",
          "java/util/concurrent/ScheduledExecutorService",
          "java/util/concurrent/CompletionService",
          "java/util/concurrent/ExecutorCompletionService",
          "java/util/concurrent/ThreadFactory",
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
          "java/lang/ClassLoader.defineClass",
          "java/net/URLClassLoader.<init>",
          "java/net/URLClassLoader.newInstance",
          "java/util/ServiceLoader.load",
          "java/util/ServiceLoader.loadInstalled",
          "java/io/ObjectInputStream.readObject",
          "java/lang/invoke/MethodHandles.lookup",
          "java/lang/invoke/MethodHandles.publicLookup",
          "java/lang/invoke/MethodHandles.privateLookupIn");

  /** Types whose constructors open a file when they are given a name or a file. */
  private static final Set<String> FILE_OPENING_TYPES =
      Set.of(
          "java/io/PrintStream", "java/io/PrintWriter", "java/util/Formatter", "java/util/Scanner");

  private static final Set<String> SYSTEM_METHODS =
      Set.of(
          "getProperty",
          "getProperties",
          "setProperty",
          "setProperties",
          "clearProperty",
          "getenv",
          "exit",
          "load",
          "loadLibrary",
          "setIn",
          "setOut",
          "setErr");
  private static final String AMBIENT = "io/strowger/spi/ambient/Ambient";

  private final String description;
  private final String alternative;

  ForbiddenUse(String description, String alternative) {
    this.description = description;
    this.alternative = alternative;
  }

  /** Returns a description of the forbidden use and of the alternative. */
  String explanation() {
    return description + ". " + alternative;
  }

  /** Returns which forbidden use a call of this method is; null when the method is permitted. */
  static @Nullable ForbiddenUse of(String owner, String name, String descriptor) {
    if (isClock(owner, name, descriptor)) {
      return CLOCK;
    }
    if (isRandom(owner, name, descriptor)) {
      return RANDOMNESS;
    }
    if (isThread(owner, name, descriptor)) {
      return THREADS;
    }
    if (isNetwork(owner, name, descriptor)) {
      return NETWORK;
    }
    if (isFile(owner, name, descriptor)) {
      return FILES;
    }
    if (isProcess(owner, name)) {
      return PROCESS;
    }
    return REFLECTIVE.contains(owner + "." + name) || owner.equals("sun/misc/Unsafe")
        ? REFLECTION
        : null;
  }

  private static boolean isNetwork(String owner, String name, String descriptor) {
    return switch (owner) {
      case "java/net/URL" -> name.startsWith("open") || name.equals("getContent");
      case "java/net/InetSocketAddress" -> // resolves the name
          name.equals("<init>") && descriptor.startsWith("(Ljava/lang/String;");
      default -> NETWORK_TYPES.contains(owner) || owner.startsWith("javax/net/");
    };
  }

  private static boolean isFile(String owner, String name, String descriptor) {
    if (FILE_OPENING_TYPES.contains(owner)) {
      boolean takesFileName =
          descriptor.startsWith("(Ljava/lang/String;") && !owner.endsWith("/Scanner");
      return name.equals("<init>")
          && (takesFileName
              || descriptor.startsWith("(Ljava/io/File;")
              || descriptor.startsWith("(Ljava/nio/file/Path;"));
    }
    return FILE_TYPES.contains(owner)
        || owner.equals("java/io/File") && FILE_METHODS.contains(name)
        || owner.equals("java/nio/file/Path") && name.equals("toRealPath");
  }

  private static boolean isClock(String owner, String name, String descriptor) {
    return switch (owner) {
      case AMBIENT -> name.equals("now") || name.equals("nanoTime");
      case "java/lang/System" -> name.equals("currentTimeMillis") || name.equals("nanoTime");
      case "java/util/Date", "java/util/GregorianCalendar" ->
          name.equals("<init>") && descriptor.equals("()V");
      case "java/util/Calendar" -> name.equals("getInstance");
      case "java/time/Clock", "java/time/InstantSource" ->
          name.startsWith("system")
              || name.startsWith("tick")
              || name.equals("instant")
              || name.equals("millis");
      default -> owner.startsWith("java/time/") && name.equals("now");
    };
  }

  private static boolean isRandom(String owner, String name, String descriptor) {
    return switch (owner) {
      case AMBIENT -> name.equals("seed");
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

  private static boolean isThread(String owner, String name, String descriptor) {
    if (THREAD_TYPES.contains(owner)
        || owner.startsWith("java/util/concurrent/StructuredTaskScope")
        || owner.startsWith("java/lang/Thread$Builder")) {
      return true;
    }
    if (name.equals("wait") && (descriptor.equals("()V") || descriptor.startsWith("(J"))) {
      return true; // Object.wait, whichever type the reference names
    }
    return switch (owner) {
      case AMBIENT -> name.startsWith("start") || name.equals("sleep");
      case "java/util/concurrent/locks/LockSupport" -> name.startsWith("park");
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
      case "java/lang/System" -> SYSTEM_METHODS.contains(name);
      case "java/lang/Boolean" -> name.equals("getBoolean");
      case "java/lang/Integer" -> name.equals("getInteger");
      case "java/lang/Long" -> name.equals("getLong");
      case "java/util/Locale", "java/util/TimeZone" -> name.equals("setDefault");
      case "java/lang/Runtime" -> !name.equals("version");
      default ->
          owner.equals("java/lang/ProcessBuilder")
              || owner.equals("java/lang/ProcessHandle")
              || owner.startsWith("java/lang/management/");
    };
  }

  /** Returns whether an object of this type, given as a type descriptor, is mutable. */
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
