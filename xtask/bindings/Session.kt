// A campaign from the first phone to the end, called from Kotlin: URL CERTIFICATE FOLDER.

import java.io.File
import java.security.KeyStore
import java.security.cert.CertificateFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLSocketFactory
import javax.net.ssl.TrustManagerFactory
import wayveil.phone.*

// Rounds close with two answers. The smallest has 15 % of the phones: it has fewer than two with
// probability 10^-7.
const val PHONES = 120
const val PASSES = 100
const val PAUSE_MILLISECONDS = 300L

fun trusting(certificate: File): SSLSocketFactory {
    val store = KeyStore.getInstance(KeyStore.getDefaultType())
    store.load(null)
    val read = certificate.inputStream().use { CertificateFactory.getInstance("X.509").generateCertificate(it) }
    store.setCertificateEntry("collector", read)
    val trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
    trust.init(store)
    return SSLContext.getInstance("TLS").apply { init(null, trust.trustManagers, null) }.socketFactory
}

inline fun <reified E : Throwable> fails(vararg says: String, call: () -> Unit) {
    val error = try {
        call()
        null
    } catch (error: Throwable) {
        error
    }
    check(error is E) { "expected ${E::class}, and there was $error" }
    for (part in says) check(part in error.message!!) { "no $part in ${error.message}" }
}

class Counting(private val inner: HttpTransport) : HttpTransport {
    val urls = mutableListOf<String>()
    override fun send(request: HttpRequest): HttpReply {
        urls += request.url
        return inner.send(request)
    }
}

class Failing(private val thrown: Exception) : HttpTransport {
    override fun send(request: HttpRequest): HttpReply = throw thrown
}

class Meddling(private val meddle: () -> Unit) : HttpTransport {
    override fun send(request: HttpRequest): HttpReply {
        meddle()
        return HttpReply(503u, 1u)
    }
}

/** Refusals and failures: each of its kind, and nothing is booked. */
fun whatDoesNotWork(url: String, pem: String, folder: File) {
    val settings = Settings(url)
    val own = File(folder, "own").path
    fails<WayveilException.InvalidInput>("certificate") { Participant(own, "none") }
    Participant(own, pem).use { phone ->
        fails<WayveilException.InvalidInput>("https://") { phone.preview("count.example.org") }
        fails<WayveilException.InvalidInput>("epsilon") { phone.takePart(settings.copy(acceptEpsilon = "0"), listOf()) }
        fails<WayveilException.InvalidInput>("86400") { phone.takePart(settings.copy(waitSeconds = 90_000u), listOf()) }
        fails<WayveilException.InvalidInput>("issuer") { phone.takePart(settings.copy(code = "4X7K"), listOf()) }
        fails<WayveilException.Declined>("epsilon 2", "1") { phone.takePart(settings.copy(acceptEpsilon = "1"), listOf()) }
        fails<WayveilException.Declined>("in all") { phone.takePart(settings.copy(acceptTotal = "1"), listOf()) }
        check(phone.spending() == Spending("0", listOf()))
    }
    // A server that cannot prove who it is gets nothing.
    Participant(own).use { phone -> fails<WayveilException.Unavailable> { phone.preview(url) } }
    File(folder, "file").writeText("")
    Participant(File(folder, "file/own").path).use { phone -> fails<WayveilException.Storage> { phone.spending() } }

    for (thrown in listOf(TransportException.Failed("no net"), IllegalStateException("no net"))) {
        val outcome = Participant.withTransport(own, Failing(thrown)).takePart(settings, listOf())
        check(outcome is Outcome.Later && "no net" in outcome.why) { "$outcome" }
    }
    lateinit var phone: Participant
    var busy = false
    phone = Participant.withTransport(own, Meddling { fails<WayveilException.Busy> { phone.spending() }; busy = true })
    check(phone.takePart(settings, listOf()) is Outcome.Later && busy)
    val signal = StopSignal()
    val stopped = Participant.withTransport(own, Meddling { signal.stop() })
        .takePart(settings.copy(waitSeconds = 86_400u), listOf(), signal)
    check(stopped is Outcome.Later && signal.isStopped()) { "$stopped" }

    val damaged = File(folder, "damaged").apply { mkdirs() }
    File(damaged, "ledger").writeText("changed\n")
    Participant(damaged.path).use { it -> fails<WayveilException.Damaged>("ledger:1") { it.spending() } }
}

class Phone(val folder: File, var outcome: Outcome?)

/** Phones answer until the campaign is over. What is counted next comes by the other transport. */
fun wholeCampaign(url: String, pem: String, folder: File, carrier: HttpTransport): List<Phone> {
    val phones = List(PHONES) { number -> Phone(File(folder, "phone-$number"), null) }
    val visits = listOf("quay", "mill", "nowhere", "quay")
    var counted = 0
    repeat(PASSES) {
        for (phone in phones.filter { it.outcome == null || it.outcome is Outcome.Later }) {
            val byOurs = counted % 2 == 0
            val one = if (byOurs) Participant(phone.folder.path, pem) else participant(phone.folder, carrier)
            phone.outcome = one.use { it.takePart(Settings(url), visits) }
            if (phone.outcome is Outcome.Counted) counted += 1
        }
        if (phones.all { it.outcome !is Outcome.Later }) return phones
        Thread.sleep(PAUSE_MILLISECONDS)
    }
    error("not over: ${phones.map { it.outcome }}")
}

fun main(words: Array<String>) {
    val (url, certificate, place) = words
    val pem = File(certificate).readText()
    val folder = File(place)
    whatDoesNotWork(url, pem, folder)

    val carrier = Counting(SystemTransport(trusting(File(certificate))))
    val first = participant(File(folder, "first"), carrier)
    val campaign = first.preview(url)
    check(campaign.name == "Kotlin" && campaign.epsilon == "2" && campaign.length == 1u && campaign.fragments == 1u)
    check(campaign.admission == Admission.Anyone && campaign.over == null && campaign.people == PHONES.toULong()) { "$campaign" }
    check("epsilon 2. You have spent 0." in question(first, url))
    check(attempt(first, Settings(url, acceptEpsilon = "2"), listOf("quay"), StopSignal().apply { stop() })!! > 0)

    val phones = wholeCampaign(url, pem, folder, carrier)
    val counted = phones.filter { it.outcome is Outcome.Counted }
    val paid = LedgerEntry(campaign.id, "2", url, Outcome.Counted)
    check(counted.size >= 8) { "${counted.size} were counted" }
    check(carrier.urls.count { it.endsWith("/v1/answers") } >= counted.size / 2) { "${carrier.urls}" }
    for (phone in counted) check(Participant(phone.folder.path).spending() == Spending("2", listOf(paid)))
    for (phone in phones - counted.toSet()) check((phone.outcome as Outcome.Stopped).code in setOf("closed", "over"))
    check(first.preview(url).over != null)

    // Asking again brings the same and sends nothing but the question for the announcement.
    carrier.urls.clear()
    val again = participant(counted.first().folder, carrier)
    check(attempt(again, Settings(url), listOf("hill"), StopSignal()) == null)
    check(carrier.urls == listOf("$url/v1/campaign")) { "${carrier.urls}" }
    println("Kotlin ${KotlinVersion.CURRENT}: ${counted.size} of $PHONES phones were counted")
}
