package io.leasehold;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * An agent that makes a JVM's time of day wrong by a given span, as on a machine with a wrong
 * clock: what reads {@code System.currentTimeMillis} or {@code java.time} gets the moved time;
 * elapsed time goes on as it is.
 */
final class MovedClock implements ClassFileTransformer {

  private static final ClassDesc INSTANT = ClassDesc.of("java.time.Instant");
  private static final String JAVA_TIME_CLOCK = "java/time/Clock";
  private static final Set<String> OF_THE_JDK =
      Set.of(
          JAVA_TIME_CLOCK,
          "java/time/Clock$SystemClock",
          "java/time/Clock$SystemInstantSource",
          "java/util/Date",
          "java/util/Calendar",
          "java/util/GregorianCalendar");

  /** Else a class would be loaded while it is being loaded. */
  private static final ClassHierarchyResolver KNOWN_BY_THEIR_FILES =
      ClassHierarchyResolver.ofResourceParsing(ClassLoader.getSystemClassLoader());

  private final Duration by;

  private MovedClock(Duration by) {
    this.by = by;
  }

  /** What the JVM calls before {@code main}; the argument is an ISO 8601 duration. */
  public static void premain(String by, Instrumentation jvm)
      throws ClassNotFoundException, UnmodifiableClassException {
    move(jvm, Duration.parse(by));
  }

  /** Moves the clock of a JVM that runs already. */
  static void move(Instrumentation jvm, Duration by)
      throws ClassNotFoundException, UnmodifiableClassException {
    jvm.addTransformer(new MovedClock(by), true);
    for (String name : OF_THE_JDK) {
      jvm.retransformClasses(Class.forName(name.replace('/', '.')));
    }
    for (Class<?> loaded : jvm.getAllLoadedClasses()) {
      if (loaded.getClassLoader() == ClassLoader.getSystemClassLoader()
          && jvm.isModifiableClass(loaded)) {
        jvm.retransformClasses(loaded);
      }
    }
  }

  /** The argument that starts a JVM with its clock so far ahead (negative: behind). */
  static String jvmArgument(Duration by) throws IOException {
    Path jar = Files.createTempFile(Path.of("target"), "moved-clock", ".jar");
    jar.toFile().deleteOnExit();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", MovedClock.class.getName());
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    String own = MovedClock.class.getName().replace('.', '/') + ".class";
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        InputStream in = MovedClock.class.getResourceAsStream("/" + own)) {
      out.putNextEntry(new JarEntry(own));
      in.transferTo(out);
    }
    return "-javaagent:" + jar + "=" + by;
  }

  @Override
  public byte[] transform(
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] written) {
    boolean ofTheJdk = loader == null || loader == ClassLoader.getPlatformClassLoader();
    if (ofTheJdk ? !OF_THE_JDK.contains(name) : !mentionsTheClock(written)) {
      return null;
    }
    ClassFile format = ClassFile.of(ClassHierarchyResolverOption.of(KNOWN_BY_THEIR_FILES));
    return format.transformClass(format.parse(written), this::move);
  }

  private static boolean mentionsTheClock(byte[] written) {
    return new String(written, StandardCharsets.ISO_8859_1).contains("currentTimeMillis");
  }

  private void move(ClassBuilder type, ClassElement element) {
    if (element instanceof MethodModel method) {
      boolean instant = method.methodName().equalsString("currentInstant");
      CodeTransform code = instant ? this::moveInstant : this::moveMillis;
      type.transformMethod(method, MethodTransform.transformingCode(code));
    } else {
      type.with(element);
    }
  }

  private void moveMillis(CodeBuilder code, CodeElement element) {
    code.with(element);
    if (element instanceof InvokeInstruction call
        && call.owner().asInternalName().equals("java/lang/System")
        && call.name().equalsString("currentTimeMillis")) {
      code.loadConstant(by.toMillis()).ladd();
    }
  }

  private void moveInstant(CodeBuilder code, CodeElement element) {
    if (element instanceof ReturnInstruction) {
      code.loadConstant(by.toSeconds())
          .invokevirtual(INSTANT, "plusSeconds", MethodTypeDesc.of(INSTANT, ConstantDescs.CD_long));
    }
    code.with(element);
  }
}
